import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { createStore, useStore } from 'zustand'
import { useMe } from '#/renderer/features/auth'
import type { Cursor } from '#/renderer/lib/keyset'
import { byTime, type MessageRow as Message } from '#/renderer/lib/live'
import { onePerClient, readAnew, STALE } from '#/renderer/lib/query-client'
import { answer, supabase } from '#/renderer/lib/supabase'
import { isUuid } from '#/renderer/lib/uuid'
import { CONVERSATIONS_PAGE } from '#/shared/limits'
import { isAttended } from './attention'
import { createBurst } from './burst'
import { isUnreadBy } from './history'
import type { LatestMessage } from './preview'
import { latestFirst, pinned, type Raised, raise } from './raised'

/** The other one of a conversation. */
export interface Correspondent {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
}

/** A conversation as one of its two sees it. */
export interface Conversation {
  id: string
  /** Null while one does not see the other: then nobody can write. */
  other: Correspondent | null
  otherId: string
  /** The other has ever written here: until then one learns nothing of when they are there, nor may join the channel. */
  hasOtherWritten: boolean
  lastMessageAt: string
  latest: LatestMessage | null
  isUnread: boolean
}

interface ConversationPage {
  conversations: Conversation[]
  next: Cursor | undefined
}

type Pages = InfiniteData<ConversationPage, Cursor>

const PERSON = 'id,username,full_name,avatar_url'
const COLUMNS =
  `id,participant_1,participant_2,participant_1_wrote,participant_2_wrote,last_message_at,one:profiles!conversations_participant_1_fkey(${PERSON}),two:profiles!conversations_participant_2_fkey(${PERSON}),latest:messages!messages_conversation_id_fkey(id,sender_id,content,created_at,deleted_at,photo_id,answers_story),unread:messages!messages_conversation_id_fkey(id)` as const

const conversationKeys = {
  all: ['conversations'] as const,
  list: ['conversations', 'list'] as const,
  one: (id: string) => ['conversations', 'one', id] as const,
}

interface EmbeddingQuery<Q> {
  eq(column: string, value: unknown): Q
  is(column: string, value: boolean | null): Q
  limit(count: number, options: { referencedTable: string }): Q
  order(column: string, options: { referencedTable: string; ascending: boolean }): Q
}

/** Of each conversation's messages the last, and one that is unread, if there is one. */
function withMessages<Q extends EmbeddingQuery<Q>>(query: Q, me: string): Q {
  return query
    .order('created_at', { referencedTable: 'latest', ascending: false })
    .order('id', { referencedTable: 'latest', ascending: false })
    .limit(1, { referencedTable: 'latest' })
    .eq('unread.recipient_id', me)
    .is('unread.read', false)
    .is('unread.deleted_at', null)
    .limit(1, { referencedTable: 'unread' })
}

type Row = NonNullable<Awaited<ReturnType<typeof loadRow>>>

/** One conversation that one sees. Throws an `AppError`. */
export function loadRow(me: string, id: string) {
  return answer(withMessages(supabase().from('conversations').select(COLUMNS), me).eq('id', id).maybeSingle())
}

/** A page of one's conversations, latest first. Throws an `AppError`. */
export function loadRows(me: string, after: Cursor) {
  const page = supabase()
    .rpc('my_conversations', after === null ? {} : { before_at: after.createdAt, before_id: after.id })
    .select(COLUMNS)
  return answer(
    withMessages(page, me).order('last_message_at', { ascending: false }).order('id', { ascending: false }),
  )
}

function toConversation(row: Row, me: string): Conversation {
  const isFirst = row.participant_1 === me
  return {
    id: row.id,
    other: isFirst ? row.two : row.one,
    otherId: isFirst ? row.participant_2 : row.participant_1,
    hasOtherWritten: isFirst ? row.participant_2_wrote : row.participant_1_wrote,
    lastMessageAt: row.last_message_at,
    latest: row.latest[0] ?? null,
    isUnread: row.unread.length > 0,
  }
}

async function readPage(client: QueryClient, me: string, after: Cursor): Promise<ConversationPage> {
  const rows = await loadRows(me, after)
  if (after === null) {
    raisedOf(client).setState((raised) => {
      const times = raisedIn(client, raised).map(({ lastMessageAt }) => lastMessageAt)
      return pinned(raised, [...times, ...rows.slice(0, 1).map((row) => row.last_message_at)].sort().at(-1))
    })
  }
  const last = rows.length < CONVERSATIONS_PAGE ? undefined : rows.at(-1)
  return {
    conversations: rows.map((row) => toConversation(row, me)),
    next: last && { createdAt: last.last_message_at, id: last.id },
  }
}

/** Conversations begun or taken up again here: until a message moves another there, that puts them on top (MSG-02). */
const raisedOf = onePerClient(() => createStore<Raised>(() => ({})))

/** Those that were raised, as far as they were read: without a message the server lists one for who began it only. */
function raisedIn(client: QueryClient, raised: Raised): Conversation[] {
  return Object.keys(raised).flatMap((id) => {
    const one = client.getQueryData<Conversation | null>(conversationKeys.one(id))
    return one ? [one] : []
  })
}

/** Puts a conversation on top of the list; the list's next read tells above which messages that is. */
export function raiseConversation(client: QueryClient, id: string): void {
  raisedOf(client).setState((raised) => ({ [id]: raise(raised) }))
}

/** One's conversations in pages, latest first. The open one is among them, however long ago it was the latest. */
export function useConversationsQuery(openId: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const raised = useStore(raisedOf(client))
  const { data: open } = useConversationQuery(openId)
  const query = useInfiniteQuery({
    queryKey: conversationKeys.list,
    queryFn: ({ pageParam }) => readPage(client, me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  })
  const { data } = query
  const conversations = useMemo(() => {
    const extra = raisedIn(client, raised)
    if (open != null && open.id in raised) extra.push(open)
    const listed = data?.pages.flatMap((page) => page.conversations) ?? []
    return latestFirst([...extra, ...listed], raised)
  }, [client, data, open, raised])
  return { ...query, conversations }
}

/** A conversation by its id, from the list or by itself; null when there is none of this id that one may see. */
export function useConversationQuery(id: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({
    queryKey: conversationKeys.one(id ?? ''),
    queryFn: async () => {
      if (id === null || !isUuid(id)) return null
      const row = await loadRow(me, id)
      return row === null ? null : toConversation(row, me)
    },
    enabled: id !== null,
    placeholderData: () => (id === null ? undefined : findInList(client, id)),
    staleTime: STALE.short,
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

/** How a message that one heard of changes its conversation. */
export function afterMessage(conversation: Conversation, message: Message, me: string): Conversation {
  const { latest } = conversation
  const isLatest = latest === null || latest.id === message.id || byTime(message, latest) > 0
  return {
    ...conversation,
    ...(isLatest && { latest: message }),
    ...(Date.parse(message.created_at) > Date.parse(conversation.lastMessageAt) && {
      lastMessageAt: message.created_at,
    }),
    hasOtherWritten: conversation.hasOtherWritten || message.sender_id === conversation.otherId,
    isUnread: conversation.isUnread || isUnreadBy(message, me),
  }
}

/** Brings the list in step with a message that one heard of. What it cannot know by itself it asks for. */
export function hearInList(client: QueryClient, message: Message, me: string): void {
  const known = findInList(client, message.conversation_id)
  const isReading = isReadingList(client)
  // Read in another window, maybe not the last that was unread there.
  const isReadElsewhere =
    known?.isUnread === true && message.recipient_id === me && message.read && !isAttended(known.id)
  changeConversation(client, message.conversation_id, (conversation) =>
    afterMessage(conversation, message, me),
  )
  if (known === undefined || isReading || isReadElsewhere) refreshSoon(client)
}

function isReadingList(client: QueryClient): boolean {
  return client.isFetching({ queryKey: conversationKeys.list }) > 0
}

/** Reads that were asked for by what was heard, by client. */
const bursts = new WeakMap<QueryClient, () => void>()

/** Has the list read anew once for all that is heard in a moment, and not before the read under way has its answer. */
function refreshSoon(client: QueryClient): void {
  const ask =
    bursts.get(client) ??
    createBurst(
      () => void refreshConversations(client),
      () => isReadingList(client),
    )
  bursts.set(client, ask)
  ask()
}

/** Nothing in this conversation is unread any more. */
export function showAsRead(client: QueryClient, id: string): void {
  changeConversation(client, id, (conversation) => ({ ...conversation, isUnread: false }))
}

/** Has the list read anew. */
export function refreshConversations(client: QueryClient): Promise<void> {
  return readAnew(client, conversationKeys.all)
}
