/** Letters of a piece, fewer than a line has. */
const PIECE = 50
/** Also spaces at which no line may end. U+FEFF is none that is drawn: letters are kerned across it. */
const LONG_WORD = new RegExp(`[\\S\\u00a0\\u2007\\u202f\\ufeff]{${2 * PIECE},}`, 'g')

/** The text in pieces that end inside its longest words, at the end of a character; in one piece without such words. */
export function piecesOfWords(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    const characters = new Intl.Segmenter().segment(word)
    for (let end = PIECE; end < word.length; end += PIECE) {
      const at = characters.containing(end)?.index ?? end
      if (index + at > start) {
        pieces.push(text.slice(start, index + at))
        start = index + at
      }
    }
  }
  pieces.push(text.slice(start))
  return pieces
}
