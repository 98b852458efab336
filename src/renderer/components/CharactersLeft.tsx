import { codePoints } from '#/renderer/lib/content/rich-text'
import { texts } from '#/renderer/lib/texts'

/** Shown from this fraction of the limit. */
const FROM = 0.9

/** Shows how many characters are left near the limit, or how many are over it. */
export function CharactersLeft({ text, limit }: { text: string; limit: number }) {
  const left = limit - codePoints(text)
  if (left > limit * (1 - FROM)) return null
  return (
    <p
      role={left < 0 ? 'alert' : undefined}
      className={`mt-1 text-[12.5px] ${left < 0 ? 'text-accent' : 'text-quiet'}`}
    >
      {left < 0 ? texts.post.tooLong(-left) : texts.post.left(left)}
    </p>
  )
}
