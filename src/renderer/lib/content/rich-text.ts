import { hasDirection } from '#/shared/bidi'
import { composeText } from '#/shared/composed-text'
import { HASHTAG, isHashtag } from '#/shared/hashtags'
import { USERNAME_PATTERN } from '#/shared/limits'
import { LINK_START, type Link, linkAt, type Reach } from './links'

/** A part of a member's text: plain text, a mention, a hashtag or a link. `text` is as written. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'hashtag'; text: string; tag: string }
  | ({ kind: 'link' } & Link)

// Same rule as private.mentions in supabase/schemas: no mention inside a word, an address or a path, so e-mail
// addresses do not match.
const MENTION = '(?<![A-Za-z0-9._%+@/-])@(?<name>[A-Za-z0-9._]+)(?![A-Za-z0-9._@])'
const PATTERN = new RegExp(`${MENTION}|${HASHTAG}|${LINK_START}`, 'gu')

/** Null for what only looks like a mention, a hashtag or a link. */
function partOf(
  { 0: found, index, input, groups: { name, tag, scheme } = {} }: RegExpExecArray,
  reach: Reach,
): TextPart | null {
  if (scheme !== undefined) {
    const link = linkAt(input, index, reach)
    return link && { kind: 'link', ...link }
  }
  if (tag !== undefined) return isHashtag(tag) ? { kind: 'hashtag', text: found, tag } : null
  if (name === undefined) return null
  // A dot at the end of a sentence is not part of the username.
  const text = found.replace(/(?<!\.)\.+$/, '')
  const username = text.slice(1).toLowerCase()
  return USERNAME_PATTERN.test(username) ? { kind: 'mention', text, username } : null
}

/** Links of one text: 800 mentions in each of twenty messages held their reader up for seconds. */
const LINKED_MOST = 100

/** An address in right-to-left letters counts as ten: each of its parts is an element. */
function weightOf(part: TextPart | null): number {
  return part?.kind === 'link' && hasDirection(part.shown) ? 10 : 1
}

/**
 * Splits a text into plain text, '@username' mentions, '#word' hashtags and http(s) links. The joined `text` fields equal the input.
 *
 * @param most the weight of all links, and of what only looks like one; what follows them is plain text, and is not read
 */
export function splitRichText(text: string, most = LINKED_MOST): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  let weight = 0
  const reach: Reach = { end: 0 }
  const take = (to: number) => {
    if (to > end) parts.push({ kind: 'text', text: text.slice(end, to) })
  }
  PATTERN.lastIndex = 0
  for (let found = PATTERN.exec(text); found !== null; found = PATTERN.exec(text)) {
    const part = partOf(found, reach)
    if (part !== null || found.groups?.scheme !== undefined) weight += weightOf(part)
    if (weight > most) break
    if (part === null) continue
    take(found.index)
    parts.push(part)
    end = PATTERN.lastIndex = found.index + part.text.length
  }
  take(text.length)
  return parts
}

/** Length in code points of the stored form, as the database counts it. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of composeText(text)) count += 1
  return count
}

/** Whether the trimmed text is longer than its column allows. */
export function exceeds(text: string, limit: number): boolean {
  return codePoints(text.trim()) > limit
}
