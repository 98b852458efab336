import { hasDirection } from '#/shared/bidi'
import { composeText } from '#/shared/composed-text'
import { HASHTAG, isHashtag } from '#/shared/hashtags'
import { USERNAME_PATTERN } from '#/shared/limits'
import { LINK_START, type Link, linkAt } from './links'

/** A part of a member's text: plain text, a mention, a hashtag or a link. `text` is as written. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; username: string }
  | { kind: 'hashtag'; text: string; tag: string }
  | ({ kind: 'link' } & Link)

// Same rule as private.mentions in supabase/migrations: no mention inside a word, an address or a path, so e-mail
// addresses do not match.
const MENTION = '(?<![A-Za-z0-9._%+@/-])@(?<name>[A-Za-z0-9._]+)(?![A-Za-z0-9._@])'
const PATTERN = new RegExp(`${MENTION}|${HASHTAG}|${LINK_START}`, 'gu')

/** Null for what only looks like a mention, a hashtag or a link. */
function partOf({
  0: found,
  index,
  input,
  groups: { name, tag, scheme } = {},
}: RegExpExecArray): TextPart | null {
  if (scheme !== undefined) {
    const link = linkAt(input, index)
    return link && { kind: 'link', ...link }
  }
  if (tag !== undefined) return isHashtag(tag) ? { kind: 'hashtag', text: found, tag } : null
  if (name === undefined) return null
  // A dot at the end of a sentence is not part of the username.
  const text = found.replace(/(?<!\.)\.+$/, '')
  const username = text.slice(1).toLowerCase()
  return USERNAME_PATTERN.test(username) ? { kind: 'mention', text, username } : null
}

/**
 * Splits a text into plain text, '@username' mentions, '#word' hashtags and http(s) links. The joined `text` fields equal the input.
 *
 * @param most the weight of all links; what follows them is plain text, and is not read: each link may read the rest of the text
 */
export function splitRichText(text: string, most = Number.POSITIVE_INFINITY): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  let weight = 0
  const take = (to: number) => {
    if (to > end) parts.push({ kind: 'text', text: text.slice(end, to) })
  }
  PATTERN.lastIndex = 0
  for (let found = PATTERN.exec(text); found !== null; found = PATTERN.exec(text)) {
    const part = partOf(found)
    if (part === null) continue
    weight += weightOf(part)
    if (weight > most) break
    take(found.index)
    parts.push(part)
    end = PATTERN.lastIndex = found.index + part.text.length
  }
  take(text.length)
  return parts
}

/** Links of one text: 800 mentions in each of twenty messages held their reader up for seconds. */
const LINKED_MOST = 100

/** An address in right-to-left letters counts as ten: each of its parts is an element. */
function weightOf(part: TextPart): number {
  if (part.kind === 'text') return 0
  return part.kind === 'link' && hasDirection(part.shown) ? 10 : 1
}

/** The parts of a text as they are drawn: what follows the last of the links that a text may have is plain text. */
export function drawnParts(text: string): TextPart[] {
  return splitRichText(text, LINKED_MOST)
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
