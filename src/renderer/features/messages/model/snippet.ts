import { shortened } from '#/shared/graphemes'
import { findMatch } from '#/shared/search-key'

/** Characters before the match. */
const BEFORE = 24
/** Units of a text in which they are looked for. */
const BEFORE_UNITS = 600

export interface Snippet {
  before: string
  match: string
  after: string
}

/** The end of a text from a word on; within a very long word, from any character that is drawn as one. */
function lastWords(text: string): string {
  const end = text.slice(-BEFORE_UNITS)
  const characters = [...new Intl.Segmenter().segment(end)].map(({ segment }) => segment)
  if (characters.length <= BEFORE && end === text) return text
  // The first one of a cut text may be half a character.
  const start = Math.max(end === text ? 0 : 1, characters.length - BEFORE)
  const space = characters.indexOf(' ', start - 1)
  return `…${characters.slice(space === -1 ? start : space + 1).join('')}`
}

/** Letters of a text in one line, or in the two of a card, which is cut at its end. */
const LINE_LETTERS = 300

/** The beginning of a text for a line or two: a browser would lay out all of it, which takes long for letters of many fonts. */
export function lineOf(text: string): string {
  return shortened(text, LINE_LETTERS)
}

/** A message in one line around the first match of the query; without the match if it is no longer there. */
export function snippetOf(content: string, query: string): Snippet {
  const text = content.replace(/\s+/gu, ' ').trim()
  const found = findMatch(text, query.trim().replace(/\s+/gu, ' '))
  if (found === null) return { before: lineOf(text), match: '', after: '' }
  return {
    before: lastWords(text.slice(0, found.start)),
    match: text.slice(found.start, found.end),
    after: lineOf(text.slice(found.end)),
  }
}
