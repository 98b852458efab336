import { formatCount, shortCount } from '#/renderer/lib/texts'

/** A short count, `12.4K`, with the exact number on hover. Visual only: the caller provides the accessible name. */
export function Count({ n }: { n: number }) {
  const short = shortCount(n)
  const whole = formatCount(n)
  return (
    <span aria-hidden="true" title={short === whole ? undefined : whole}>
      {short}
    </span>
  )
}
