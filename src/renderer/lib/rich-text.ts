import { HASHTAG, isHashtag } from '#/shared/hashtags'
import { USERNAME_PATTERN } from '#/shared/limits'

/** A part of a member's text: plain text, a mention, a hashtag or a link. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'hashtag'; text: string; tag: string }
  | { kind: 'link'; text: string; url: string }

// Same rule as private.mentions in supabase/migrations: no mention inside a word, an address or a path, so e-mail
// addresses do not match.
const MENTION = '(?<![A-Za-z0-9._%+@/-])@(?<name>[A-Za-z0-9._]+)(?![A-Za-z0-9._@])'
const LINK = String.raw`(?<url>https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])`
const PATTERN = new RegExp(`${MENTION}|${HASHTAG}|${LINK}`, 'gu')

/** Null for what only looks like a mention or a hashtag. */
function partOf({ 0: found, groups: { name, tag, url } = {} }: RegExpMatchArray): TextPart | null {
  if (url !== undefined) return { kind: 'link', text: url, url }
  if (tag !== undefined) return isHashtag(tag) ? { kind: 'hashtag', text: found, tag } : null
  if (name === undefined) return null
  // A dot at the end of a sentence is not part of the username.
  const text = found.replace(/\.+$/, '')
  const username = text.slice(1).toLowerCase()
  return USERNAME_PATTERN.test(username) ? { kind: 'mention', text, username } : null
}

/** Splits a text into plain text, '@username' mentions, '#word' hashtags and http(s) links. The joined `text` fields equal the input. */
export function splitRichText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const take = (to: number) => {
    if (to > end) parts.push({ kind: 'text', text: text.slice(end, to) })
  }
  for (const match of text.matchAll(PATTERN)) {
    const part = partOf(match)
    if (part === null) continue
    take(match.index)
    parts.push(part)
    end = match.index + part.text.length
  }
  take(text.length)
  return parts
}

/** Length in code points, as the database counts it. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether the trimmed text is longer than its column allows. */
export function exceeds(text: string, limit: number): boolean {
  return codePoints(text.trim()) > limit
}
