import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { type PictureSource, placeholderOf } from '#/renderer/lib/media-store'
import { fittedStyle, frameStyle, type PhotoSize } from '#/renderer/lib/photo-frame'
import { Picture } from './Picture'

/** A photo with its source and size. */
export interface ShownPhoto extends PhotoSize {
  source: PictureSource
}

interface PhotoFrameProps extends Omit<ComponentProps<'div'>, 'style'> {
  /** It is shown without space around it, if the window is high enough. */
  photo: PhotoSize
}

/** The frame of a post's photos in the feed. Its size is known before they are loaded. */
export function PhotoFrame({ photo, className = '', ...rest }: PhotoFrameProps) {
  return (
    <div
      {...rest}
      style={frameStyle(photo)}
      className={`relative w-full overflow-hidden bg-lifted ${className}`}
    />
  )
}

interface FramedPhotoProps
  extends Omit<ComponentProps<typeof Picture>, 'source' | 'fit' | 'width' | 'height'> {
  photo: ShownPhoto
  /** Shown over the photo. Can use the frame's size: 100cqw by 100cqh. */
  children?: ReactNode
}

/** A whole photo in the middle of its frame, the nearest positioned element; the rest of the frame shows it blurred. */
export function FramedPhoto({ photo, children, ...rest }: FramedPhotoProps) {
  return (
    <div className="@container-size absolute inset-0 overflow-hidden">
      <Backdrop source={photo.source} />
      <Picture
        {...rest}
        source={photo.source}
        width={photo.width ?? undefined}
        height={photo.height ?? undefined}
        fit="contain"
        style={fittedStyle(photo)}
        className="absolute inset-0 m-auto bg-lifted"
      />
      {children}
    </div>
  )
}

/** The blurred photo over the whole frame. A ThumbHash is already blurred. */
function Backdrop({ source }: { source: PictureSource }) {
  const placeholder = useMemo(() => placeholderOf(source.thumbhash ?? null), [source])
  const picture = source.kind === 'stored' ? null : (source.preview ?? source.url)
  const url = placeholder ?? picture
  if (url === null) return null
  return (
    <div
      aria-hidden="true"
      style={{ backgroundImage: `url(${url})` }}
      className={`absolute bg-center bg-cover bg-no-repeat opacity-80 ${placeholder === null ? '-inset-8 blur-xl' : 'inset-0'}`}
    />
  )
}
