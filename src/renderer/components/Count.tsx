import { formatCount, shortCount } from '#/renderer/lib/texts'

/** A count as it is shown, `12.4K`, with the whole number on hover. For the eye: its words are the caller's part. */
export function Count({ n }: { n: number }) {
  const short = shortCount(n)
  const whole = formatCount(n)
  return (
    <span aria-hidden="true" title={short === whole ? undefined : whole}>
      {short}
    </span>
  )
}
