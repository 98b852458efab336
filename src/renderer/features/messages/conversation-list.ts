import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createStore } from 'zustand'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, nextCursor } from '#/renderer/lib/keyset'
import { byTime } from '#/renderer/lib/live'
import { onePerClient, refetch, STALE } from '#/renderer/lib/query-client'
import { createThrottle } from '#/renderer/lib/schedule'
import { isUuid } from '#/renderer/lib/uuid'
import { CONVERSATIONS_PAGE } from '#/shared/limits'
import { isAttended } from './attention'
import { type Conversation, goneConversation, loadRows, loadRowsOf, toConversation } from './conversation'
import { isUnreadBy } from './history'
import type { Message } from './message'
import type { LatestMessage } from './preview'
import { pinned, type Raised, raise } from './raised'

interface ConversationPage {
  conversations: Conversation[]
  next: Cursor | undefined
}

export type Pages = InfiniteData<ConversationPage, Cursor>

export const conversationKeys = {
  all: ['conversations'] as const,
  list: ['conversations', 'list'] as const,
  unlisted: (ids: readonly string[]) => ['conversations', 'unlisted', ids.join()] as const,
  one: (id: string) => ['conversations', 'one', id] as const,
}

/** A page of one's conversations; the first tells what those that were raised are above. Throws an `AppError`. */
export async function readPage(client: QueryClient, me: string, after: Cursor): Promise<ConversationPage> {
  const rows = await loadRows(me, after)
  if (after === null) {
    raisedOf(client).setState((raised) => {
      const times = raisedIn(client, raised).map(({ lastMessageAt }) => lastMessageAt)
      return pinned(raised, [...times, ...rows.slice(0, 1).map((row) => row.last_message_at)].sort().at(-1))
    })
  }
  return {
    conversations: rows.map((row) => toConversation(row, me)),
    next: nextCursor(rows, CONVERSATIONS_PAGE, (row) => ({ createdAt: row.last_message_at, id: row.id })),
  }
}

/** Conversations begun or taken up again here: until a message moves another there, that puts them on top (MSG-02). */
export const raisedOf = onePerClient(() => createStore<Raised>(() => ({})))

/** Those that were raised, as far as they were read: without a message the server lists one for who began it only. */
export function raisedIn(client: QueryClient, raised: Raised): Conversation[] {
  return Object.keys(raised).flatMap((id) => {
    const one = client.getQueryData<Conversation | null>(conversationKeys.one(id))
    return one && !one.isGone ? [one] : []
  })
}

/** Puts a conversation on top of the list; the list's next read tells above which messages that is. */
export function raiseConversation(client: QueryClient, id: string): void {
  raisedOf(client).setState((raised) => ({ [id]: raise(raised) }))
}

/**
 * A conversation by its id, from the list or by itself; null when there is none of this id that one may see. One that
 * was known stays as it was known when it goes, so that nobody is sent away from what they read or write.
 */
export function useConversationQuery(id: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({
    queryKey: conversationKeys.one(id ?? ''),
    meta: { keepsBlocked: true },
    queryFn: async () => {
      if (id === null || !isUuid(id)) return null
      const known =
        client.getQueryData<Conversation | null>(conversationKeys.one(id)) ?? findInList(client, id)
      const [row] = await loadRowsOf(me, [id])
      if (row !== undefined) return toConversation(row, me)
      return known == null ? null : goneConversation(id, known)
    },
    enabled: id !== null,
    placeholderData: () => (id === null ? undefined : findInList(client, id)),
    staleTime: STALE.short,
    refetchOnWindowFocus: true,
  })
}

function findInList(client: QueryClient, id: string): Conversation | undefined {
  const pages = client.getQueryData<Pages>(conversationKeys.list)?.pages
  return pages?.flatMap((page) => page.conversations).find((conversation) => conversation.id === id)
}

function changeConversation(
  client: QueryClient,
  id: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const changed = (conversation: Conversation) =>
    conversation.id === id ? change(conversation) : conversation
  client.setQueryData<Pages>(
    conversationKeys.list,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, conversations: page.conversations.map(changed) })),
      },
  )
  client.setQueryData<Conversation | null>(conversationKeys.one(id), (one) => one && changed(one))
}

/** The conversation's last message after a live event. */
function latestAfter(latest: LatestMessage | null, message: Message): LatestMessage | null {
  // An older version may arrive late: an unsent message stays unsent.
  if (latest?.id === message.id) return latest.deleted_at === null ? message : latest
  const isCurrent = latest === null || byTime(message, latest) > 0
  return isCurrent ? message : latest
}

/** Applies a sent message or a live event to its conversation. */
export function afterMessage(conversation: Conversation, message: Message, me: string): Conversation {
  return {
    ...conversation,
    latest: latestAfter(conversation.latest, message),
    ...(Date.parse(message.created_at) > Date.parse(conversation.lastMessageAt) && {
      lastMessageAt: message.created_at,
    }),
    hasOtherWritten: conversation.hasOtherWritten || message.sender_id === conversation.otherId,
    isUnread: conversation.isUnread || isUnreadBy(message, me),
  }
}

/** Applies a sent message or a live event to the list; refetches the list if that is not enough. */
export function hearInList(client: QueryClient, message: Message, me: string): void {
  const known = findInList(client, message.conversation_id)
  const isReading = isReadingList(client)
  // Read in another window, maybe not the last that was unread there.
  const isReadElsewhere =
    known?.isUnread === true && message.recipient_id === me && message.read && !isAttended(known.id)
  changeConversation(client, message.conversation_id, (conversation) =>
    afterMessage(conversation, message, me),
  )
  if (known === undefined || isReading || isReadElsewhere) refreshSoon(client, client)()
}

function isReadingList(client: QueryClient): boolean {
  return client.isFetching({ queryKey: conversationKeys.list }) > 0
}

/** Has the list read anew once for all that is heard in a moment, and not before the read under way has its answer. */
const refreshSoon = onePerClient((client: QueryClient) =>
  createThrottle(
    () => void refreshConversations(client),
    () => isReadingList(client),
  ),
)

/** Nothing up to this message is unread in its conversation any more. */
export function showAsRead(client: QueryClient, until: Message): void {
  changeConversation(client, until.conversation_id, (conversation) => {
    const { latest, otherId } = conversation
    const hasMore = latest !== null && latest.sender_id === otherId && byTime(latest, until) > 0
    return hasMore ? conversation : { ...conversation, isUnread: false }
  })
}

/** Has the list read anew. */
export function refreshConversations(client: QueryClient): Promise<void> {
  return refetch(client, conversationKeys.all)
}
