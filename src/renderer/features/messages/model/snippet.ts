/** Characters before the match. */
const BEFORE = 24

export interface Snippet {
  before: string
  match: string
  after: string
}

/** A message in one line around the first match of the query; without the match if it is no longer there. */
export function snippetOf(content: string, query: string): Snippet {
  const text = content.replace(/\s+/gu, ' ').trim()
  const wanted = query.trim().replace(/\s+/gu, ' ')
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at === -1) return { before: text, match: '', after: '' }
  const characters = [...text.slice(0, at)]
  const before = characters.length > BEFORE ? `…${characters.slice(-BEFORE).join('')}` : text.slice(0, at)
  return { before, match: text.slice(at, at + wanted.length), after: text.slice(at + wanted.length) }
}
