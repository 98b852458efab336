/** Right-to-left letters, and characters that change the direction of what follows them. */
const TURNS =
  /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Whether the direction of a text, or of what follows it, may differ from left to right. */
export function hasDirection(text: string): boolean {
  return TURNS.test(text)
}

const OPENS = /[\u2066-\u2068]/
const CLOSES = '\u2069'

/**
 * A text in one line whose direction characters have no effect after its end, inside the isolation that surrounds it (`bdi`,
 * `isolate`): a closing character without an opening one would end that isolation too, and so would a line break.
 */
export function closeDirections(text: string): string {
  let open = 0
  let closed = ''
  for (const character of text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')) {
    if (OPENS.test(character)) open += 1
    else if (character === CLOSES) {
      if (open === 0) continue
      open -= 1
    }
    closed += character
  }
  return closed + CLOSES.repeat(open)
}

/**
 * A name or text for the middle of a sentence where there is no markup: labels, titles, system notifications. A text of left-to-right
 * letters stays as it is: isolation would change nothing, and some systems draw its characters as boxes.
 */
export function isolate(text: string): string {
  return hasDirection(text) ? `\u2068${closeDirections(text)}${CLOSES}` : text
}
