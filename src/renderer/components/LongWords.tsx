import { piecesOfWords } from '#/renderer/lib/content/long-words'

/**
 * A text whose longest words are drawn in pieces: at the end of each line, a browser lays out the rest of a word again whose letters are
 * kerned or joined. Fifty messages of 4,000 letters took it seconds.
 */
export function LongWords({ children }: { children: string }) {
  const pieces = piecesOfWords(children)
  if (pieces.length === 1) return children
  let at = 0
  return pieces.map((piece) => {
    const key = at
    at += piece.length
    return <span key={key}>{piece}</span>
  })
}
