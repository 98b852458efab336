import { texts } from '#/renderer/lib/texts'

interface WordmarkProps {
  /** `header` hides the name in narrow windows and in the narrow rail; `large` is for the sign-in screen. */
  size: 'header' | 'large'
}

export function Wordmark({ size }: WordmarkProps) {
  const isLarge = size === 'large'
  return (
    <span className={`wordmark flex items-center ${isLarge ? 'gap-3 text-[40px]' : 'gap-2.5 text-[23px]'}`}>
      <span
        aria-hidden="true"
        className={`story-ring grid place-items-center rounded-full ${isLarge ? 'size-8' : 'size-5'}`}
      >
        <span className={`rounded-full bg-paper ${isLarge ? 'size-3' : 'size-2'}`} />
      </span>
      <span className={isLarge ? '' : 'max-sm:sr-only rail-icons:sr-only'}>{texts.product}</span>
    </span>
  )
}
