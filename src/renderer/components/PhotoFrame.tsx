import type { ComponentProps, ReactNode } from 'react'
import { fittedStyle, frameStyle, type PhotoSize } from '#/renderer/lib/layout/photo-frame'
import type { PictureSource } from '#/renderer/lib/media-store'
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
  /** Shown over the photo. Can use the frame's size: 100cqw by 100cqh. */
  children?: ReactNode
}

/** A whole photo at the start edge of its frame, the nearest positioned element. */
export function FramedPhoto({ photo, className = '', children, ...rest }: FramedPhotoProps) {
  return (
    <div className="@container-size absolute inset-0">
      <Picture
        {...rest}
        source={photo.source}
        width={photo.width ?? undefined}
        height={photo.height ?? undefined}
        fit="contain"
        style={fittedStyle(photo)}
        className={`absolute inset-0 my-auto bg-lifted ${className}`}
      />
      {children}
    </div>
  )
}
