import type { MessageRow as Message } from '#/renderer/lib/live'
import { isUnreadBy } from './history'

/** Where the unread divider stands, and what it goes by. */
export interface Divider {
  /** The message below it; null while there is none. */
  beforeId: string | null
  /** The last message that was there when one last looked; null before the first look. */
  lastId: string | null
}

export const NO_DIVIDER: Divider = { beforeId: null, lastId: null }

/**
 * The divider after the messages changed. It stands above the first message that was unread when the conversation was
 * opened, or that came while one looked elsewhere, and stays while one reads on; one's own answer takes it away.
 */
export function nextDivider(
  divider: Divider,
  { messages, me, isLooking }: { messages: readonly Message[]; me: string; isLooking: boolean },
): Divider {
  const last = messages.at(-1)
  if (last === undefined || last.id === divider.lastId) return divider
  const known = messages.findIndex(({ id }) => id === divider.lastId)
  const isOpening = divider.lastId === null
  const fresh = messages.slice(known + 1)
  const hasAnswered = !isOpening && fresh.some((message) => message.sender_id === me)
  if (hasAnswered) return { beforeId: null, lastId: last.id }
  const unread = fresh.find((message) => isUnreadBy(message, me))
  const isNew = unread !== undefined && (isOpening || !isLooking)
  // What was new before one looked away again stays the beginning of what is new.
  const beforeId = isNew ? (divider.beforeId ?? unread.id) : divider.beforeId
  return { beforeId, lastId: last.id }
}
