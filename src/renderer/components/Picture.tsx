import { type ComponentProps, useMemo, useState } from 'react'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import {
  type PictureSource,
  placeholderOf,
  type StoredSource,
  srcSetOf,
  useMediaUrls,
} from '#/renderer/lib/media-store'
import { BROKEN_PICTURE } from '#/renderer/lib/server/checks/stored-pictures'
import { CheckedPicture } from './lazy-checked-picture'
import type { NotShownProps } from './NotShown'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'onError'> {
  source: PictureSource
  alt: string
  /** The width at which it is shown, for the choice among the sizes: the attribute `sizes` of an `<img>`. */
  sizes: string
  fit: 'cover' | 'contain'
  /** Called when the picture cannot be shown, also with a new link. The caller says so; otherwise a sentence in its place does. */
  onBroken?: (() => void) | undefined
}

/** Paints the ThumbHash or preview of a picture until the picture is loaded. The caller sets its size, so nothing moves. */
export function Picture({ source, className = '', fit, ...rest }: PictureProps) {
  const fitted = { ...rest, className: `${className} ${fit === 'cover' ? 'object-cover' : 'object-contain'}` }
  if (source.kind === 'stored') return <StoredPicture {...fitted} source={source} fit={fit} />
  const { url, preview } = source
  const { onBroken, ...image } = fitted
  if (url === BROKEN_PICTURE) return <NotShown {...fitted} placeholder={preview} fit={fit} />
  return (
    <PaintedImage
      {...image}
      src={url ?? preview ?? undefined}
      placeholder={url && preview}
      fit={fit}
      onError={onBroken}
    />
  )
}

interface StoredPictureProps extends PictureProps {
  source: StoredSource
}

function StoredPicture({
  source: { sizes: stored, thumbhash, until },
  sizes,
  onBroken,
  ...rest
}: StoredPictureProps) {
  const { links, signAgain } = useMediaUrls(stored.map(({ path }) => path))
  const { width, height } = rest
  const placeholder = useMemo(() => {
    const hasSize = typeof width === 'number' && typeof height === 'number'
    return placeholderOf(thumbhash, hasSize ? { width, height } : undefined)
  }, [thumbhash, width, height])
  const [attempt, setAttempt] = useState(1)
  const signed = stored.flatMap((size) => {
    const link = links[size.path]
    return link === undefined ? [] : [{ ...size, ...link }]
  })
  const largest = signed.at(-1)
  if (largest === undefined)
    return <PaintedImage {...rest} src={placeholder ?? undefined} placeholder={null} />
  if (!signed.every(({ isChecked }) => isChecked))
    return (
      <CheckedPicture stored={signed} sizes={sizes} until={until}>
        {(result) => <CheckedImage {...rest} {...result} {...{ placeholder, onBroken }} />}
      </CheckedPicture>
    )
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

interface CheckedImageProps extends Omit<PictureProps, 'source' | 'sizes'> {
  url: string | undefined
  isRefused: boolean
  placeholder: string | null
}

/** A picture that the server has not checked. */
function CheckedImage({ url, isRefused, onBroken, ...rest }: CheckedImageProps) {
  const [broken, setBroken] = useState<string>()
  if (isRefused || (url !== undefined && url === broken)) return <NotShown {...rest} onBroken={onBroken} />
  if (url === undefined)
    return <PaintedImage {...rest} src={rest.placeholder ?? undefined} placeholder={null} />
  return <PaintedImage key={url} {...rest} src={url} onError={() => setBroken(url)} />
}

/** Its code is loaded when a picture cannot be shown. */
const NotShown = lazyPart(
  () => import('./NotShown'),
  'NotShown',
  ({ placeholder, onBroken: _, ...rest }: NotShownProps) => (
    <PaintedImage {...rest} src={placeholder ?? undefined} placeholder={null} />
  ),
)

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
