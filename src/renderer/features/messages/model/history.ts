import { byTime, isAfterMark, type Mark } from '#/renderer/lib/live'
import type { Message, MessageUpdate } from '../message'

/** Messages without a gap. */
interface Stretch {
  /** Oldest first, without duplicates. */
  messages: readonly Message[]
  /** Whether the server has older messages. */
  hasOlder: boolean
}

/** The loaded part of a conversation, up to its newest message. */
export interface History extends Stretch {
  /** Messages further up, around one that the member looked for; shown instead until they reach the others. */
  around?: Stretch | undefined
  /** Identifies the last fetch of the newest messages; undefined before the first one. A symbol, so that it is not stored on disk. */
  fetch?: symbol
}

/** Whether an update was read before an edit that is known. */
function isBeforeEdit(known: Message, update: MessageUpdate): boolean {
  if (known.edited_at === null || update.deleted_at !== null) return false
  return update.edited_at === null || Date.parse(update.edited_at) < Date.parse(known.edited_at)
}

/** Merges an update into a message: a message that was read, edited or unsent stays so. */
function combined(known: Message, update: MessageUpdate): Message {
  const edit = isBeforeEdit(known, update) && { content: known.content, edited_at: known.edited_at }
  const latest =
    known.deleted_at !== null && update.deleted_at === null ? known : { ...known, ...update, ...edit }
  return { ...latest, read: known.read || update.read, read_at: update.read_at ?? known.read_at }
}

/** Adds messages and merges updates into the known ones. */
export function withMessages<S extends Stretch>(history: S, updates: readonly MessageUpdate[]): S {
  if (updates.length === 0) return history
  const byId = new Map(history.messages.map((message) => [message.id, message]))
  for (const update of updates) {
    const known = byId.get(update.id)
    byId.set(update.id, known === undefined ? { reactions: [], ...update } : combined(known, update))
  }
  return { ...history, messages: [...byId.values()].sort(byTime) }
}

/** Whether a message belongs to the loaded part. Older messages are loaded with their page. */
function isInRange({ messages: [oldest], hasOlder }: History, message: MessageUpdate): boolean {
  return oldest === undefined || !hasOlder || byTime(message, oldest) >= 0
}

/** Merges live events. */
export function withUpdates(history: History, updates: readonly MessageUpdate[]): History {
  const { around } = history
  const merged = withMessages(
    history,
    updates.filter((message) => isInRange(history, message)),
  )
  if (around === undefined) return merged
  const known = new Set(around.messages.map(({ id }) => id))
  return {
    ...merged,
    around: withMessages(
      around,
      updates.filter(({ id }) => known.has(id)),
    ),
  }
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

/** Messages that are read to close a gap. Above that, the known ones are forgotten: a server may send full pages for ever. */
export const GAP_MOST = 10_000

/** Maximum number of unread messages that are loaded when a conversation opens. */
export const UNREAD_MOST = 1_000

/**
 * Whether the first unread message may be older than the fetched ones, because all of them are unread.
 * Members read a conversation completely, so read messages are always older than unread ones.
 */
export function mayMissUnread(newest: readonly Message[], isWhole: boolean, me: string, mark: Mark): boolean {
  return (
    !isWhole &&
    newest.length > 0 &&
    newest.length < UNREAD_MOST &&
    newest.every((message) => message.sender_id !== me && isAfterMark(message, mark))
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
  const fetch = Symbol('fetch')
  return withMessages({ ...history, hasOlder: history.hasOlder && !isWhole, fetch }, newest)
}

/** Merges a page of the messages before this one. */
export function withOlder(
  history: History,
  before: Message,
  older: readonly Message[],
  isLast: boolean,
): History {
  const { around } = history
  if (around !== undefined && around.messages[0]?.id === before.id)
    return { ...history, around: withMessages({ ...around, hasOlder: !isLast }, older) }
  // They were loaded for a stretch that is no longer shown.
  if (history.messages[0]?.id !== before.id) return history
  return withMessages({ ...history, hasOlder: !isLast }, older)
}

/** Shows a stretch further up, or adds it to the others if it reaches them. `isLast`: no message follows it. */
export function withAround(history: History, around: Stretch, isLast: boolean): History {
  const [oldest] = history.messages
  const last = around.messages.at(-1)
  const isJoined = isLast || oldest === undefined || last === undefined || byTime(last, oldest) >= 0
  if (!isJoined) return { ...history, around }
  return withMessages({ ...history, hasOlder: around.hasOlder, around: undefined }, around.messages)
}

/** Merges a page of the messages after the stretch that is shown. */
export function withNewer(history: History, newer: readonly Message[], isLast: boolean): History {
  const { around } = history
  return around === undefined ? history : withAround(history, withMessages(around, newer), isLast)
}

/** Shows the newest messages again. */
export function withoutAround(history: History): History {
  return history.around === undefined ? history : { ...history, around: undefined }
}

/** Keeps the newest `count` messages of a conversation that is no longer shown. */
export function trimmed(history: History, count: number): History {
  if (history.messages.length <= count) return withoutAround(history)
  return { ...withoutAround(history), messages: history.messages.slice(-count), hasOlder: true }
}

/** Without the messages that the member has deleted with the conversation, up to this time. */
export function withoutCleared(history: History, clearedAt: string): History {
  const messages = history.messages.filter(({ created_at }) => created_at > clearedAt)
  return { ...withoutAround(history), messages, hasOlder: false }
}

/** Whether this member has yet to read a message; unsent messages do not count. */
export function isUnreadBy(
  message: Pick<Message, 'id' | 'created_at' | 'sender_id' | 'deleted_at'>,
  me: string,
  mark: Mark,
): boolean {
  return message.sender_id !== me && message.deleted_at === null && isAfterMark(message, mark)
}

/** The mark, or a later message. */
export function raised(mark: Mark, { created_at, id }: Pick<Message, 'id' | 'created_at'>): Mark {
  return isAfterMark({ created_at, id }, mark) ? { mark_at: created_at, mark_id: id } : mark
}
