import { byTime } from '#/renderer/lib/live'
import type { Message } from './message'

/** The part of a conversation that was read so far. */
export interface History {
  /** Oldest first, each once. */
  messages: readonly Message[]
  /** The server has older ones. */
  hasOlder: boolean
  /** How often it was read from the newest message on; none when left out. */
  reads?: number
}

/** Two versions of one message in the order they arrived: a message that was read or unsent stays so. */
function combined(known: Message, update: Message): Message {
  const latest = known.deleted_at !== null && update.deleted_at === null ? known : { ...known, ...update }
  return { ...latest, read: known.read || update.read, read_at: update.read_at ?? known.read_at }
}

/** Adds messages and merges updates into the known ones. */
export function withMessages(history: History, updates: readonly Message[]): History {
  if (updates.length === 0) return history
  const byId = new Map(history.messages.map((message) => [message.id, message]))
  for (const update of updates) {
    const known = byId.get(update.id)
    byId.set(update.id, known === undefined ? update : combined(known, update))
  }
  return { ...history, messages: [...byId.values()].sort(byTime) }
}

/** Whether a message is in the part that was read. Older ones come with their page. */
function isInRange({ messages: [oldest], hasOlder }: History, message: Message): boolean {
  return oldest === undefined || !hasOlder || byTime(message, oldest) >= 0
}

/** Merges live events. */
export function withHeard(history: History, heard: readonly Message[]): History {
  return withMessages(
    history,
    heard.filter((message) => isInRange(history, message)),
  )
}

/**
 * Whether messages read from the newest on (newest first) do not reach down to what is known yet. What is known to be
 * all there was, though that was nothing, is reached at the beginning of the conversation.
 */
export function hasGap(known: History | undefined, newest: readonly Message[], isWhole: boolean): boolean {
  const last = newest.at(-1)
  if (isWhole || known === undefined || last === undefined) return false
  const [oldest] = known.messages
  return oldest === undefined ? !known.hasOlder : byTime(last, oldest) > 0
}

/** So many unread messages are read on opening; of more nobody wants to wait for the first one. */
export const UNREAD_MOST = 1_000

/**
 * Whether the first unread message may be further up than what was read from the newest on: as long as there is nothing
 * but unread ones. One reads all that there is at once, so those that are read lie above them.
 */
export function mayMissUnread(newest: readonly Message[], isWhole: boolean, me: string): boolean {
  return (
    !isWhole &&
    newest.length > 0 &&
    newest.length < UNREAD_MOST &&
    newest.every(({ recipient_id, read }) => recipient_id === me && !read)
  )
}

/** Takes in pages read from the newest message on. `isWhole`: they reach to the beginning of the conversation. */
export function withNewest(
  known: History | undefined,
  newest: readonly Message[],
  isWhole: boolean,
): History {
  const history = known ?? { messages: [], hasOlder: true }
  const reads = (history.reads ?? 0) + 1
  return withMessages({ ...history, hasOlder: history.hasOlder && !isWhole, reads }, newest)
}

/** Takes in a page read from the oldest known message on. */
export function withOlder(history: History, older: readonly Message[], isLast: boolean): History {
  return withMessages({ ...history, hasOlder: !isLast }, older)
}

/** The newest `count` messages: what is kept of a conversation that is not shown. */
export function trimmed(history: History, count: number): History {
  if (history.messages.length <= count) return history
  return { ...history, messages: history.messages.slice(-count), hasOlder: true }
}

/** These messages are read. */
export function withRead(history: History, ids: ReadonlySet<string>): History {
  const messages = history.messages.map((message) =>
    ids.has(message.id) && !message.read ? { ...message, read: true } : message,
  )
  return { ...history, messages }
}

/** Whether a message still waits to be read by this member; one that was taken back does not. */
export function isUnreadBy(
  { recipient_id, read, deleted_at }: Pick<Message, 'recipient_id' | 'read' | 'deleted_at'>,
  me: string,
): boolean {
  return recipient_id === me && !read && deleted_at === null
}
