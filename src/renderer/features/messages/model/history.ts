import { byTime } from '#/renderer/lib/live'
import type { Message } from '../message'

/** The loaded part of a conversation. */
export interface History {
  /** Oldest first, without duplicates. */
  messages: readonly Message[]
  /** Whether the server has older messages. */
  hasOlder: boolean
  /** How often the newest messages were fetched; undefined before the first time. */
  reads?: number
}

/** Whether an update was read before an edit that is known. */
function isBeforeEdit(known: Message, update: Message): boolean {
  if (known.edited_at === null || update.deleted_at !== null) return false
  return update.edited_at === null || Date.parse(update.edited_at) < Date.parse(known.edited_at)
}

/** Merges an update into a message: a message that was read, edited or unsent stays so. */
function combined(known: Message, update: Message): Message {
  const edit = isBeforeEdit(known, update) && { content: known.content, edited_at: known.edited_at }
  const latest =
    known.deleted_at !== null && update.deleted_at === null ? known : { ...known, ...update, ...edit }
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

/** Whether a message belongs to the loaded part. Older messages are loaded with their page. */
function isInRange({ messages: [oldest], hasOlder }: History, message: Message): boolean {
  return oldest === undefined || !hasOlder || byTime(message, oldest) >= 0
}

/** Merges live events. */
export function withUpdates(history: History, heard: readonly Message[]): History {
  return withMessages(
    history,
    heard.filter((message) => isInRange(history, message)),
  )
}

/**
 * Whether messages fetched from the newest on (newest first) leave a gap above the known ones. If the known
 * conversation was empty, only its beginning closes the gap.
 */
export function hasGap(known: History | undefined, newest: readonly Message[], isWhole: boolean): boolean {
  const last = newest.at(-1)
  if (isWhole || known === undefined || last === undefined) return false
  const [oldest] = known.messages
  return oldest === undefined ? !known.hasOlder : byTime(last, oldest) > 0
}

/** Maximum number of unread messages that are loaded when a conversation opens. */
export const UNREAD_MOST = 1_000

/**
 * Whether the first unread message may be older than the fetched ones, because all of them are unread.
 * Members read a conversation completely, so read messages are always older than unread ones.
 */
export function mayMissUnread(newest: readonly Message[], isWhole: boolean, me: string): boolean {
  return (
    !isWhole &&
    newest.length > 0 &&
    newest.length < UNREAD_MOST &&
    newest.every(({ recipient_id, read }) => recipient_id === me && !read)
  )
}

/**
 * Merges pages fetched from the newest message on. `isWhole`: they reach the beginning of the conversation.
 */
export function withNewest(
  known: History | undefined,
  newest: readonly Message[],
  isWhole: boolean,
): History {
  const history = known ?? { messages: [], hasOlder: true }
  const reads = (history.reads ?? 0) + 1
  return withMessages({ ...history, hasOlder: history.hasOlder && !isWhole, reads }, newest)
}

/** Merges a page of older messages. */
export function withOlder(history: History, older: readonly Message[], isLast: boolean): History {
  return withMessages({ ...history, hasOlder: !isLast }, older)
}

/** Keeps the newest `count` messages of a conversation that is no longer shown. */
export function trimmed(history: History, count: number): History {
  if (history.messages.length <= count) return history
  return { ...history, messages: history.messages.slice(-count), hasOlder: true }
}

/** Marks these messages as read. */
export function withRead(history: History, ids: ReadonlySet<string>): History {
  const messages = history.messages.map((message) =>
    ids.has(message.id) && !message.read ? { ...message, read: true } : message,
  )
  return { ...history, messages }
}

/** Without the messages that the member has deleted with the conversation, up to this time. */
export function withoutCleared(history: History, clearedAt: string): History {
  const messages = history.messages.filter(({ created_at }) => created_at > clearedAt)
  return { ...history, messages, hasOlder: false }
}

/** Whether this member has yet to read a message; unsent messages do not count. */
export function isUnreadBy(
  { recipient_id, read, deleted_at }: Pick<Message, 'recipient_id' | 'read' | 'deleted_at'>,
  me: string,
): boolean {
  return recipient_id === me && !read && deleted_at === null
}
