import { type ComponentProps, useMemo, useState } from 'react'
import {
  type PictureSource,
  placeholderOf,
  type StoredSource,
  srcSetOf,
  useMediaUrls,
} from '#/renderer/lib/media-store'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'onError'> {
  source: PictureSource
  alt: string
  /** The width at which it is shown, for the choice among the sizes: the attribute `sizes` of an `<img>`. */
  sizes: string
  fit: 'cover' | 'contain'
  /** Called when the picture cannot be loaded, even with a new link. */
  onBroken?: () => void
}

/** Paints the ThumbHash or preview of a picture until the picture is loaded. The caller sets its size, so nothing moves. */
export function Picture({ source, className = '', fit, ...rest }: PictureProps) {
  const fitted = { ...rest, className: `${className} ${fit === 'cover' ? 'object-cover' : 'object-contain'}` }
  if (source.kind === 'stored') return <StoredPicture {...fitted} source={source} fit={fit} />
  const { url, preview } = source
  return <PaintedImage {...fitted} src={url ?? preview ?? undefined} placeholder={url && preview} fit={fit} />
}

interface StoredPictureProps extends PictureProps {
  source: StoredSource
}

function StoredPicture({
  source: { sizes: stored, thumbhash },
  sizes,
  onBroken,
  ...rest
}: StoredPictureProps) {
  const { urls, signAgain } = useMediaUrls(stored.map(({ path }) => path))
  const { width, height } = rest
  const placeholder = useMemo(() => {
    const hasSize = typeof width === 'number' && typeof height === 'number'
    return placeholderOf(thumbhash, hasSize ? { width, height } : undefined)
  }, [thumbhash, width, height])
  const [attempt, setAttempt] = useState(1)
  const signed = stored.flatMap(({ path, width }) => {
    const url = urls[path]
    return url === undefined ? [] : [{ url, width }]
  })
  const largest = signed.at(-1)
  if (largest === undefined)
    return <PaintedImage {...rest} src={placeholder ?? undefined} placeholder={null} />
  const handleError = () => {
    if (attempt > 1) onBroken?.()
    else void signAgain().then(() => setAttempt(2))
  }
  return (
    <PaintedImage
      key={attempt}
      {...rest}
      src={largest.url}
      srcSet={srcSetOf(signed)}
      sizes={sizes}
      onError={handleError}
      placeholder={placeholder}
    />
  )
}

interface PaintedImageProps extends ComponentProps<'img'> {
  /** A data URL that is painted until the picture is loaded. */
  placeholder: string | null
  fit: 'cover' | 'contain'
}

function PaintedImage({ placeholder, fit, style, onLoad, alt, ...rest }: PaintedImageProps) {
  const [loaded, setLoaded] = useState<string>()
  // Remove it once the picture is loaded: it would show through transparent pixels.
  const isPainted = placeholder !== null && loaded !== rest.src
  return (
    <img
      alt={alt}
      draggable={false}
      decoding="async"
      {...rest}
      onLoad={(event) => {
        // Wait until the picture is decoded: a loaded picture paints nothing before.
        const setPainted = () => setLoaded(rest.src)
        event.currentTarget.decode().then(setPainted, setPainted)
        onLoad?.(event)
      }}
      style={{
        ...style,
        ...(isPainted && {
          background: `url(${placeholder}) center / ${fit} no-repeat`,
        }),
      }}
    />
  )
}
