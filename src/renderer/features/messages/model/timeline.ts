import { isSameDay } from '#/renderer/lib/content/time'
import { byTime, type Mark } from '#/renderer/lib/live'
import type { Message } from '../message'
import { isUnreadBy } from './history'

/** Messages of one sender within this time are grouped, in milliseconds. */
const GROUP_MS = 5 * 60_000

/** `sent`: stored by the server. `retrying`: waits for its next attempt while the connection is online. */
export type Delivery = 'sent' | 'sending' | 'retrying' | 'waiting' | 'refused'

/** How far an own message has come. */
export type Receipt = 'sent' | 'delivered' | 'seen'

export interface MessageRow {
  kind: 'message'
  key: string
  message: Message
  delivery: Delivery
  /** The server's own message about the refusal; may be empty. */
  reason: string
  /** Whether it is the first of its group: the same sender, the same day, in quick succession. */
  isFirst: boolean
  /** Whether it is the last of its group. */
  isLast: boolean
  /** Of the last own message that has come this far; null for the others. */
  receipt: Receipt | null
}

/** A row of the conversation, from top to bottom. */
export type TimelineRow =
  | { kind: 'beginning'; key: string }
  | { kind: 'day'; key: string; at: string }
  | { kind: 'divider'; key: string; count: number; isMore: boolean }
  | MessageRow
  | { kind: 'typing'; key: string }

export interface TimelineParts {
  me: string
  /** Oldest first. */
  messages: readonly Message[]
  /** Own messages that the server has not stored yet, in the order they were sent. */
  outgoing: readonly { message: Message; delivery: Delivery; reason: string }[]
  divider: Pick<Divider, 'beforeId' | 'untilId' | 'isMore'>
  hasOlder: boolean
  isOtherTyping: boolean
  /** See `Conversation`. */
  deliveredAt: string | null
  /** Whether newer messages are not among these: the last ones are not the last of the conversation. */
  hasNewer?: boolean
}

const NO_RECEIPTS: ReadonlyMap<string, Receipt> = new Map()

/** The last own message that the other member has read, the last delivered one and the last sent one, by id. */
function receiptsOf(
  messages: readonly Message[],
  me: string,
  deliveredAt: string | null,
): ReadonlyMap<string, Receipt> {
  const own = messages.filter(({ sender_id }) => sender_id === me)
  const existing = own.filter(({ deleted_at }) => deleted_at === null)
  const reached: [Message | undefined, Receipt][] = [
    [existing.at(-1), 'sent'],
    [existing.findLast(({ created_at }) => deliveredAt !== null && created_at <= deliveredAt), 'delivered'],
    [own.findLast(({ read }) => read), 'seen'],
  ]
  const seen = reached[2]?.[0]
  const isShown = (message: Message, receipt: Receipt) =>
    receipt === 'seen' || seen === undefined || byTime(message, seen) > 0
  return new Map(
    reached.flatMap(([message, receipt]) =>
      message !== undefined && isShown(message, receipt) ? [[message.id, receipt] as const] : [],
    ),
  )
}

function isGrouped(a: Message, b: Message): boolean {
  return (
    a.sender_id === b.sender_id &&
    isSameDay(a.created_at, b.created_at) &&
    Math.abs(Date.parse(b.created_at) - Date.parse(a.created_at)) <= GROUP_MS
  )
}

/** How many of the other member's messages the divider announces. */
function countAnnounced(messages: readonly Message[], untilId: string | null, me: string): number {
  const until = messages.findIndex(({ id }) => id === untilId)
  const announced = until === -1 ? messages : messages.slice(0, until + 1)
  return announced.filter(({ sender_id, deleted_at }) => sender_id !== me && deleted_at === null).length
}

/** Arranges a conversation: days, groups, the unread divider, pending messages and the typing indicator. */
export function buildTimeline({
  me,
  messages,
  outgoing,
  divider,
  hasOlder,
  isOtherTyping,
  deliveredAt,
  hasNewer = false,
}: TimelineParts): TimelineRow[] {
  const sent = new Set(messages.map(({ id }) => id))
  const shown = [
    ...messages.map((message) => ({ message, delivery: 'sent' as Delivery, reason: '' })),
    // Between the server's response and its removal from the outbox a message is in both.
    ...outgoing.filter(({ message }) => !sent.has(message.id)),
  ]
  const receipts = hasNewer ? NO_RECEIPTS : receiptsOf(messages, me, deliveredAt)
  const rows: TimelineRow[] = []
  if (!hasOlder) rows.push({ kind: 'beginning', key: 'beginning' })
  const isJoined = (index: number) => {
    const [before, message] = [shown[index - 1]?.message, shown[index]?.message]
    if (before === undefined || message === undefined) return false
    return message.id !== divider.beforeId && isGrouped(before, message)
  }
  for (const [index, { message, delivery, reason }] of shown.entries()) {
    const before = shown[index - 1]?.message
    // The day of the first loaded message may start in a message that is not loaded yet.
    const isNewDay = before === undefined ? !hasOlder : !isSameDay(before.created_at, message.created_at)
    if (isNewDay) rows.push({ kind: 'day', key: `day ${message.id}`, at: message.created_at })
    const fresh =
      message.id === divider.beforeId ? countAnnounced(messages.slice(index), divider.untilId, me) : 0
    if (fresh > 0) rows.push({ kind: 'divider', key: 'divider', count: fresh, isMore: divider.isMore })
    rows.push({
      kind: 'message',
      key: message.id,
      message,
      delivery,
      reason,
      isFirst: !isJoined(index),
      isLast: !isJoined(index + 1),
      receipt: delivery === 'sent' ? (receipts.get(message.id) ?? null) : null,
    })
  }
  if (isOtherTyping) rows.push({ kind: 'typing', key: 'typing' })
  return rows
}

/** Up to this many emojis without text are shown large. */
const LARGE_EMOJIS = 3
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u

/** Whether a text consists of a few emojis. */
export function isLargeEmoji(text: string): boolean {
  // A family of four is one emoji of up to twenty code units.
  if (text.length > LARGE_EMOJIS * 20) return false
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const drawn = characters.filter((character) => character.trim() !== '')
  return drawn.length > 0 && drawn.length <= LARGE_EMOJIS && drawn.every((character) => EMOJI.test(character))
}

/** The unread divider and the state from which its next position is derived. */
export interface Divider {
  /** The message below the divider; null while there is no divider. */
  beforeId: string | null
  /** The last message that it announces; the member saw later ones arrive. */
  untilId: string | null
  /** Whether there are more unread messages than the loaded ones. */
  isMore: boolean
  /** The last message at the previous update; null before the first. */
  lastId: string | null
}

export const NO_DIVIDER: Divider = { beforeId: null, untilId: null, isMore: false, lastId: null }

interface Read {
  messages: readonly Message[]
  mark: Mark
  /** Whether the server has older messages. */
  hasOlder: boolean
  me: string
  isLooking: boolean
  /**
   * Whether the conversation is still being opened: its messages come from the cache, or are being refetched.
   */
  isOpening?: boolean
}

/**
 * Moves the divider after the messages changed. It stands above the first message that was unread when the
 * conversation was opened, or that arrived while the member looked elsewhere, and stays while the member
 * reads. An own message removes it.
 */
export function nextDivider(
  divider: Divider,
  { messages, mark, hasOlder, me, isLooking, isOpening = false }: Read,
): Divider {
  const last = messages.at(-1)
  if (last === undefined || last.id === divider.lastId) return divider
  const isFirst = divider.lastId === null
  const fresh = messages.slice(messages.findIndex(({ id }) => id === divider.lastId) + 1)
  const lastOwn = fresh.findLastIndex((message) => message.sender_id === me)
  const unread = fresh.slice(lastOwn + 1).find((message) => isUnreadBy(message, me, mark))
  const before = lastOwn === -1 ? divider.beforeId : null
  const isWatched = isLooking && !isFirst && !isOpening
  if (unread === undefined || isWatched)
    return {
      beforeId: before,
      untilId: before === null ? null : divider.untilId,
      isMore: before !== null && divider.isMore,
      lastId: last.id,
    }
  // Messages that the member has not seen, or only just sees, stay below the divider.
  const stays =
    before !== null &&
    (isOpening || messages.some((message) => message.id === before && isUnreadBy(message, me, mark)))
  if (stays) return { ...divider, untilId: last.id, lastId: last.id }
  return {
    beforeId: unread.id,
    untilId: last.id,
    isMore: hasOlder && unread.id === messages[0]?.id,
    lastId: last.id,
  }
}

/** The later of two messages; a message that is null or missing counts as the earliest. */
export function laterId(
  messages: readonly Message[],
  one: string | null,
  other: string | null,
): string | null {
  const later = messages.findLast(({ id }) => id === one || id === other)
  return later?.id ?? null
}

/** Messages of the other member after a message; all of them if it is null or missing. */
export function receivedAfter(messages: readonly Message[], id: string | null, me: string): Message[] {
  const at = messages.findIndex((message) => message.id === id)
  return messages.slice(at + 1).filter((message) => message.sender_id !== me)
}
