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
  const isOpening = divider.lastId === null
  const fresh = messages.slice(messages.findIndex(({ id }) => id === divider.lastId) + 1)
  const lastOwn = fresh.findLastIndex((message) => message.sender_id === me)
  const unread = fresh.slice(lastOwn + 1).find((message) => isUnreadBy(message, me))
  const before = lastOwn === -1 ? divider.beforeId : null
  if (unread === undefined || (isLooking && !isOpening)) return { beforeId: before, lastId: last.id }
  // What has not been looked at yet stays the beginning of what is new.
  const isBeforeUnread = messages.some((message) => message.id === before && isUnreadBy(message, me))
  return { beforeId: isBeforeUnread ? before : unread.id, lastId: last.id }
}
