import { isSameDay } from 'date-fns'
import type { Divider } from './divider'
import type { Message } from './message'

/** Messages of one sender that follow each other within this time stand together, in milliseconds. */
const GROUP_MS = 5 * 60_000

/** `sent` is on the server, the others are not yet; `retrying` waits to be sent again while the connection is there. */
export type Delivery = 'sent' | 'sending' | 'retrying' | 'waiting' | 'refused'

export interface MessageRow {
  kind: 'message'
  key: string
  message: Message
  delivery: Delivery
  /** Why the server refused it, in its words; may be empty. */
  reason: string
  /** Last of a group: of one sender, one day, in quick succession. */
  isLast: boolean
  /** One's own last message that the other has read. */
  isSeen: boolean
}

/** What the conversation shows, from top to bottom. */
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
  /** One's own that are not on the server, in the order they were sent. */
  outgoing: readonly { message: Message; delivery: Delivery; reason: string }[]
  divider: Pick<Divider, 'beforeId' | 'isMore'>
  hasOlder: boolean
  isOtherTyping: boolean
}

function isTogether(a: Message, b: Message): boolean {
  return (
    a.sender_id === b.sender_id &&
    isSameDay(a.created_at, b.created_at) &&
    Math.abs(Date.parse(b.created_at) - Date.parse(a.created_at)) <= GROUP_MS
  )
}

function countReceived(messages: readonly Message[], me: string): number {
  return messages.filter(({ sender_id, deleted_at }) => sender_id !== me && deleted_at === null).length
}

/** Lays a conversation out: days, groups, the unread divider, what is on its way, and whether the other is typing. */
export function layOut({
  me,
  messages,
  outgoing,
  divider,
  hasOlder,
  isOtherTyping,
}: TimelineParts): TimelineRow[] {
  const sent = new Set(messages.map(({ id }) => id))
  const shown = [
    ...messages.map((message) => ({ message, delivery: 'sent' as Delivery, reason: '' })),
    // Between the server's answer and its being taken out of the queue a message is in both.
    ...outgoing.filter(({ message }) => !sent.has(message.id)),
  ]
  const seen = messages.findLast((message) => message.sender_id === me && message.read)
  const rows: TimelineRow[] = []
  if (!hasOlder) rows.push({ kind: 'beginning', key: 'beginning' })
  const isJoined = (index: number) => {
    const [before, message] = [shown[index - 1]?.message, shown[index]?.message]
    if (before === undefined || message === undefined) return false
    return message.id !== divider.beforeId && isTogether(before, message)
  }
  for (const [index, { message, delivery, reason }] of shown.entries()) {
    const before = shown[index - 1]?.message
    // Whether the day begins with the first that was read is not known before the one above it is.
    const isNewDay = before === undefined ? !hasOlder : !isSameDay(before.created_at, message.created_at)
    if (isNewDay) rows.push({ kind: 'day', key: `day ${message.id}`, at: message.created_at })
    const fresh = message.id === divider.beforeId ? countReceived(messages.slice(index), me) : 0
    if (fresh > 0) rows.push({ kind: 'divider', key: 'divider', count: fresh, isMore: divider.isMore })
    rows.push({
      kind: 'message',
      key: message.id,
      message,
      delivery,
      reason,
      isLast: !isJoined(index + 1),
      isSeen: message.id === seen?.id,
    })
  }
  if (isOtherTyping) rows.push({ kind: 'typing', key: 'typing' })
  return rows
}

/** So many emojis alone are shown large. */
const LARGE_EMOJIS = 3
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u

/** Whether a text is a few emojis and nothing else. */
export function isLargeEmoji(text: string): boolean {
  // A family of four is one emoji of up to twenty code units.
  if (text.length > LARGE_EMOJIS * 20) return false
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const drawn = characters.filter((character) => character.trim() !== '')
  return drawn.length > 0 && drawn.length <= LARGE_EMOJIS && drawn.every((character) => EMOJI.test(character))
}
