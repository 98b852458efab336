import { USERNAME_PATTERN } from '#/shared/limits'

/** A part of a member's text: plain text, a mention or a link. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'link'; text: string; url: string }

// Same rule as private.mentions in supabase/migrations: no mention inside a word, an address or a path, so e-mail
// addresses do not match.
const MENTION = '(?<![A-Za-z0-9._%+@/-])@(?<name>[A-Za-z0-9._]+)(?![A-Za-z0-9._@])'
const LINK = String.raw`(?<url>https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])`
const PATTERN = new RegExp(`${MENTION}|${LINK}`, 'gu')

/** Splits a text into plain text, '@username' mentions and http(s) links. The joined `text` fields equal the input. */
export function splitRichText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const take = (to: number) => {
    if (to > end) parts.push({ kind: 'text', text: text.slice(end, to) })
  }
  for (const match of text.matchAll(PATTERN)) {
    const { name, url } = match.groups ?? {}
    // A dot at the end of a sentence is not part of the username.
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
