import { USERNAME_PATTERN } from '#/shared/limits'

/** A piece of a member's text: plain words, a mentioned member, or a web address. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'link'; text: string; url: string }

// The rule of private.mentions (supabase/migrations): no mention inside a word, an address or a path, so
// that e-mail addresses are none.
const MENTION = '(?<![A-Za-z0-9._%+@/-])@(?<name>[A-Za-z0-9._]+)(?![A-Za-z0-9._@])'
const LINK = String.raw`(?<url>https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])`
const PATTERN = new RegExp(`${MENTION}|${LINK}`, 'gu')

/** Splits a text into plain words, '@username' mentions and http(s) links. Joined, the parts' texts give it back. */
export function splitRichText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const take = (to: number) => {
    if (to > end) parts.push({ kind: 'text', text: text.slice(end, to) })
  }
  for (const match of text.matchAll(PATTERN)) {
    const { name, url } = match.groups ?? {}
    // A dot that ends the sentence is not the name's.
    const found = name === undefined ? match[0] : match[0].replace(/\.+$/, '')
    const username = found.slice(1).toLowerCase()
    if (url === undefined && !USERNAME_PATTERN.test(username)) continue
    take(match.index)
    parts.push(
      url === undefined ? { kind: 'mention', text: found, username } : { kind: 'link', text: url, url },
    )
    end = match.index + found.length
  }
  take(text.length)
  return parts
}

/** Length as the database counts it: in code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether a text is longer than its column takes, which is without the space around it. */
export function exceeds(text: string, limit: number): boolean {
  return codePoints(text.trim()) > limit
}
