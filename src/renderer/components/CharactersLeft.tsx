import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'

/** Shown from here on, as a part of the limit. */
const FROM = 0.9

/** Says how much room is left once a text comes near its limit, and by how much it is over. */
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
