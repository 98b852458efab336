/** How a long text is folded. */
interface FoldSize {
  /** Characters in a line at its usual width; a wide one counts as two. */
  columns: number
  /** Texts of more lines are folded: one or two more than `shown`, because less would not be worth a click. */
  over: number
  /** CSS for the lines that a folded text shows. */
  shown: string
}

/** By place. Estimated, not measured: then nothing moves after the first frame, and a list of thousands measures no text. */
export const FOLD_SIZES = {
  caption: { columns: 74, over: 4, shown: 'line-clamp-3' },
  picture: { columns: 64, over: 12, shown: 'line-clamp-10' },
  openCaption: { columns: 46, over: 17, shown: 'line-clamp-15' },
  comment: { columns: 56, over: 8, shown: 'line-clamp-6' },
  message: { columns: 56, over: 18, shown: 'line-clamp-16' },
  bio: { columns: 66, over: 8, shown: 'line-clamp-6' },
  notification: { columns: 36, over: 4, shown: 'line-clamp-3' },
} as const satisfies Record<string, FoldSize>

/** Characters as wide as two letters: those of East Asia, and emojis. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu
/** Characters without a width. Spacing marks (`\p{Mc}`) have one. */
const MARKS = /[\p{Mn}\p{Me}\u200b-\u200f]/gu
/** What a browser draws for a tab at most. */
const TAB = ' '.repeat(8)

/** How often the letters of a folded text may go on in another block. */
const MOST_CHANGES = 600

/** Latin letters, and characters of East Asia, which are often mixed. */
const USUAL = /[\0-\u024f\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/u
/** Signs of all scripts, which have the font of the letters around them. */
const BETWEEN = /[\s!-@[-`{-~\u00b7\u2010-\u2027\u2030-\u205e]/u

/** The block of a letter, which mostly has one font. */
const blockOf = (letter: string): number => (USUAL.test(letter) ? 0 : (letter.codePointAt(0) ?? 0) >> 7)

/**
 * What is drawn of a folded text. A browser looks for a font wherever one changes: fifty texts of 4,000 characters that change at each took
 * it four seconds. Such a text is cut.
 */
export function foldedText(text: string): string {
  let changes = 0
  let at = 0
  let last = 0
  for (const letter of text) {
    const block = BETWEEN.test(letter) ? last : blockOf(letter)
    if (block !== last) changes += 1
    if (changes > MOST_CHANGES) return `${text.slice(0, at)}…`
    last = block
    at += letter.length
  }
  return text
}

/** Whether a text takes more lines than this, by an estimate. */
export function exceedsLines(text: string, columns: number, lines: number): boolean {
  if (text.length <= columns && !/[\n\t]/.test(text)) return false
  let count = 0
  for (const line of text.split('\n')) {
    const width = line.replace(MARKS, '').replace(WIDE, '..').replaceAll('\t', TAB).length
    count += Math.max(1, Math.ceil(width / columns))
    if (count > lines) return true
  }
  return false
}
