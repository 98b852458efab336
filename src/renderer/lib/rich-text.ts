/** A piece of a member's text: plain words, a mentioned member, or a web address. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'link'; text: string; url: string }

// A mention does not start inside a word, so that e-mail addresses are none; its name ends on no dot. The same rule
// as private.mentioned_usernames in supabase/migrations.
const PATTERN =
  /(?<![\p{L}\p{N}_.@/])@(?<name>[A-Za-z0-9_](?:[A-Za-z0-9_.]{1,28}[A-Za-z0-9_]))(?![A-Za-z0-9_@])|(?<url>https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/gu

/** Splits a text into plain words, '@username' mentions and http(s) links. Joined, the parts' texts give it back. */
export function splitRichText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(PATTERN)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    const [whole] = match
    const name = match.groups?.name
    if (name !== undefined) parts.push({ kind: 'mention', text: whole, username: name.toLowerCase() })
    else parts.push({ kind: 'link', text: whole, url: whole })
    end = match.index + whole.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** Length as the database counts it: in code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
