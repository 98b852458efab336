import type { ComponentProps, ReactNode } from 'react'
import type { PictureSource } from '#/renderer/lib/media-store'
import { fittedStyle, frameStyle, type PhotoSize } from '#/renderer/lib/photo-frame'
import { Picture } from './Picture'

/** A photo with its source and size. */
export interface ShownPhoto extends PhotoSize {
  source: PictureSource
}

interface PhotoFrameProps extends Omit<ComponentProps<'div'>, 'style'> {
  photos: readonly PhotoSize[]
}

/** The frame of a post's photos in a column, on the paper. Its size is known before they are loaded. */
export function PhotoFrame({ photos, className = '', ...rest }: PhotoFrameProps) {
  return (
    <div className="@container">
      <div {...rest} style={frameStyle(photos)} className={`relative ${className}`} />
    </div>
  )
}

interface FramedPhotoProps
  extends Omit<ComponentProps<typeof Picture>, 'source' | 'fit' | 'width' | 'height'> {
  photo: ShownPhoto
  /** In the middle of the frame, not at its start edge. */
  isCentred?: boolean
  /** Shown over the photo. Can use the frame's size: 100cqw by 100cqh. */
  children?: ReactNode
}

/** A whole photo in its frame, the nearest positioned element. */
export function FramedPhoto({
  photo,
  isCentred = false,
  className = '',
  children,
  ...rest
}: FramedPhotoProps) {
  return (
    <div className="@container-size absolute inset-0">
      <Picture
        {...rest}
        source={photo.source}
        width={photo.width ?? undefined}
        height={photo.height ?? undefined}
        fit="contain"
        style={fittedStyle(photo)}
        className={`absolute inset-0 bg-lifted ${isCentred ? 'm-auto' : 'my-auto'} ${className}`}
      />
      {children}
    </div>
  )
}
