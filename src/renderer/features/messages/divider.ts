import { isUnreadBy } from './history'
import type { Message } from './message'

/** Where the unread divider stands, and what it goes by. */
export interface Divider {
  /** The message below it; null while there is none. */
  beforeId: string | null
  /** There are more unread ones above it than are read on opening. */
  isMore: boolean
  /** The last message that was there when one last looked; null before the first look. */
  lastId: string | null
}

export const NO_DIVIDER: Divider = { beforeId: null, isMore: false, lastId: null }

interface Read {
  messages: readonly Message[]
  /** The server has older ones. */
  hasOlder: boolean
  me: string
  isLooking: boolean
  /** The conversation is still being opened: what is there comes from before, or is just being read anew. */
  isOpening?: boolean
}

/**
 * The divider after the messages changed. It stands above the first message that was unread when the conversation was
 * opened, or that came while one looked elsewhere, and stays while one reads on; one's own answer takes it away.
 */
export function nextDivider(
  divider: Divider,
  { messages, hasOlder, me, isLooking, isOpening = false }: Read,
): Divider {
  const last = messages.at(-1)
  if (last === undefined || last.id === divider.lastId) return divider
  const isFirst = divider.lastId === null
  const fresh = messages.slice(messages.findIndex(({ id }) => id === divider.lastId) + 1)
  const lastOwn = fresh.findLastIndex((message) => message.sender_id === me)
  const unread = fresh.slice(lastOwn + 1).find((message) => isUnreadBy(message, me))
  const before = lastOwn === -1 ? divider.beforeId : null
  const isWatched = isLooking && !isFirst && !isOpening
  if (unread === undefined || isWatched)
    return { beforeId: before, isMore: before !== null && divider.isMore, lastId: last.id }
  // What has not been looked at yet, or just now only, stays the beginning of what is new.
  const stays =
    before !== null &&
    (isOpening || messages.some((message) => message.id === before && isUnreadBy(message, me)))
  if (stays) return { ...divider, lastId: last.id }
  return { beforeId: unread.id, isMore: hasOlder && unread.id === messages[0]?.id, lastId: last.id }
}
