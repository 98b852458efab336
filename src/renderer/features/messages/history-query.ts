import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, newestFirst } from '#/renderer/lib/keyset'
import { onePerClient, refetch } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { MESSAGES_PAGE } from '#/shared/limits'
import {
  type History,
  hasGap,
  mayMissUnread,
  trimmed,
  UNREAD_MOST,
  withHeard,
  withNewest,
  withOlder,
} from './history'
import { MESSAGE_COLUMNS, type Message } from './message'

/** When what was read before is read anew, or many are unread: most messages of one request, and room for new ones. */
const REFRESH = { most: 200, room: 10 } as const

const historyKey = (conversationId: string) => ['messages', conversationId] as const

/** Reads that are under way, each with what was heard meanwhile: the answer may be older than that. */
const reads = onePerClient(() => new Map<string, Set<Message[]>>())

function readsOf(client: QueryClient, conversationId: string): Set<Message[]> {
  const byConversation = reads(client)
  const running = byConversation.get(conversationId) ?? new Set()
  byConversation.set(conversationId, running)
  return running
}

/** A page of a conversation, newest first. Throws an `AppError`. */
export function loadMessages(conversationId: string, after: Cursor, size: number, signal?: AbortSignal) {
  let query = supabase().from('messages').select(MESSAGE_COLUMNS).eq('conversation_id', conversationId)
  if (signal !== undefined) query = query.abortSignal(signal)
  return unwrap(newestFirst(query, { after, size, idColumn: 'id' }))
}

function cursorOf(message: Message | undefined): Cursor {
  return message === undefined ? null : { createdAt: message.created_at, id: message.id }
}

/** How many are read on after so many: no more than `UNREAD_MOST` in all, as far as those that are unread go. */
function sizeAfter(count: number): number {
  return count < UNREAD_MOST ? Math.min(REFRESH.most, UNREAD_MOST - count) : REFRESH.most
}

/**
 * Reads the newest page, on to the first unread message, and, what is on screen already, all of that anew: nothing in
 * between is missed.
 */
async function readHistory(
  client: QueryClient,
  conversationId: string,
  me: string,
  signal: AbortSignal,
): Promise<History> {
  const key = historyKey(conversationId)
  const known = client.getQueryData<History>(key)
  const count = known?.messages.length ?? 0
  let size = Math.min(REFRESH.most, Math.max(MESSAGES_PAGE, count + REFRESH.room))
  const heard: Message[] = []
  const running = readsOf(client, conversationId)
  running.add(heard)
  try {
    const newest: Message[] = []
    let isWhole = false
    for (let isEnough = false; !isEnough; size = sizeAfter(newest.length)) {
      const page = await loadMessages(conversationId, cursorOf(newest.at(-1)), size, signal)
      newest.push(...page)
      isWhole = page.length < size
      isEnough = !hasGap(known, newest, isWhole) && !mayMissUnread(newest, isWhole, me)
    }
    // What is known now, not then: older pages may have come meanwhile.
    return withHeard(withNewest(client.getQueryData<History>(key), newest, isWhole), heard)
  } finally {
    running.delete(heard)
  }
}

function historyOptions(client: QueryClient, conversationId: string, me: string) {
  return queryOptions({
    queryKey: historyKey(conversationId),
    meta: { keepsBlocked: true },
    queryFn: ({ signal }) => readHistory(client, conversationId, me, signal),
    staleTime: 0,
  })
}

/** The messages of a conversation as far as they were read, oldest first; read anew whenever it is opened. */
export function useHistoryQuery(conversationId: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(
    () => () => {
      client.setQueryData<History>(
        historyKey(conversationId),
        (history) => history && trimmed(history, MESSAGES_PAGE),
      )
    },
    [client, conversationId],
  )
  return useQuery(historyOptions(client, conversationId, me))
}

/** Reads on towards the beginning of a conversation. */
export function useOlderMutation(conversationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ['older messages', conversationId],
    meta: { action: 'read older messages' },
    mutationFn: async () => {
      const oldest = getHistory(client, conversationId)?.messages[0]
      if (oldest === undefined) return
      const page = await loadMessages(conversationId, cursorOf(oldest), MESSAGES_PAGE)
      client.setQueryData<History>(
        historyKey(conversationId),
        (history) => history && withOlder(history, page, page.length < MESSAGES_PAGE),
      )
    },
  })
}

/** Merges a sent message or a live event into its conversation. */
export function hearMessage(client: QueryClient, message: Message): void {
  const { conversation_id: id } = message
  for (const heard of readsOf(client, id)) heard.push(message)
  const history = getHistory(client, id)
  if (history === undefined) return
  client.setQueryData<History>(historyKey(id), withHeard(history, [message]))
}

/** What is read of a conversation. */
export function getHistory(client: QueryClient, conversationId: string): History | undefined {
  return client.getQueryData<History>(historyKey(conversationId))
}

/** Changes what is read of a conversation. */
export function changeHistory(
  client: QueryClient,
  conversationId: string,
  change: (history: History) => History,
): void {
  client.setQueryData<History>(historyKey(conversationId), (history) => history && change(history))
}

/** Has what is shown of conversations read anew, after messages may have been missed. */
export function refreshHistories(client: QueryClient): void {
  void refetch(client, ['messages'])
}
