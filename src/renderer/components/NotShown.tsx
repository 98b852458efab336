import { type CSSProperties, useEffect, useEffectEvent } from 'react'
import { texts } from '#/renderer/lib/texts'

export interface NotShownProps {
  alt: string
  className?: string | undefined
  style?: CSSProperties | undefined
  fit: 'cover' | 'contain'
  width?: number | string | undefined
  height?: number | string | undefined
  /** A data URL that is painted instead. */
  placeholder: string | null
  onBroken?: (() => void) | undefined
}

/** The placeholder of a picture that must not or cannot be shown, with a sentence if there is room for it. */
export function NotShown({
  alt,
  className = '',
  fit,
  style,
  width,
  height,
  placeholder,
  onBroken,
}: NotShownProps) {
  const handleShown = useEffectEvent(() => onBroken?.())
  useEffect(() => handleShown(), [])
  const label = alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': texts.notShown(alt) }
  const size =
    typeof width === 'number' && typeof height === 'number' ? { width, aspectRatio: width / height } : {}
  return (
    <span
      {...label}
      style={{
        ...size,
        ...style,
        ...(placeholder !== null && { background: `url(${placeholder}) center / ${fit} no-repeat` }),
      }}
      className={`@container-size grid place-items-center ${className}`}
    >
      {onBroken === undefined && (
        <span className="@min-[120px]:block hidden w-max max-w-[min(14rem,100%)] rounded-md bg-raised/90 px-3 py-2 text-center text-[13.5px] text-ink leading-snug">
          {texts.pictureNotShown}
        </span>
      )}
    </span>
  )
}
