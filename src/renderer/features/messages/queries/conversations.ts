import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { afterPaint, createThrottle } from '#/renderer/lib/core/schedule'
import { isUuid } from '#/renderer/lib/core/uuid'
import { forgetOnDisk } from '#/renderer/lib/disk-cache/persist'
import type { Mark } from '#/renderer/lib/live'
import { byId } from '#/renderer/lib/queries/batch-loader'
import { type Cursor, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { refetch, STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { Tables } from '#/shared/database.types'
import { CONVERSATIONS_PAGE } from '#/shared/limits'
import { isActive } from '../active-conversation-store'
import { useDraftIds } from '../drafts-store'
import { conversationKeys, messageKeys, unreadListKey } from '../keys'
import { type Bumps, bumpsOf, latestFirst, withPendingTimes, withUpperBound } from '../list-order'
import type { StoredMessage } from '../message'
import {
  afterMark,
  afterMessage,
  type Conversation,
  goneConversation,
  isOpen,
  isRequest,
  readsFromOf,
} from '../model/conversation'
import { type Folder, type FolderOrNone, pinnedFirst } from '../model/folders'
import { useUnsentTimes } from '../outgoing'
import { useUnreadConversationsCountQuery } from './live'
import { loadConversationPage, loadConversations, toConversation } from './load-conversations'

interface ConversationPage {
  conversations: Conversation[]
  next: Cursor | undefined
}

export type Pages = InfiniteData<ConversationPage, Cursor>

/**
 * Fetches a page of a folder; the first page of the inbox sets the bound of bumped conversations. Throws an `AppError`.
 */
export async function readPage(
  client: QueryClient,
  me: string,
  folder: Folder,
  after: Cursor,
): Promise<ConversationPage> {
  const rows = await loadConversationPage(folder, after)
  if (after === null && folder === 'inbox') {
    bumpsOf(client).setState((bumps) => {
      const times = bumpedConversations(client, bumps).map(({ lastMessageAt }) => lastMessageAt)
      return withUpperBound(
        bumps,
        [...times, ...rows.slice(0, 1).map((row) => row.last_message_at)].sort().at(-1),
      )
    })
  }
  const unpinned = rows.filter(({ mine: [mine] }) => mine?.pinned_at == null)
  return {
    conversations: rows.map((row) => toConversation(row, me)),
    next: nextCursor(unpinned, CONVERSATIONS_PAGE, (row) => ({ createdAt: row.last_message_at, id: row.id })),
  }
}

/**
 * The loaded bumped conversations: the server lists a conversation without messages only for the member who
 * started it.
 */
export function bumpedConversations(client: QueryClient, bumps: Bumps): Conversation[] {
  return Object.keys(bumps).flatMap((id) => {
    const one = client.getQueryData<Conversation | null>(conversationKeys.one(id))
    return one && !one.isGone ? [one] : []
  })
}

/**
 * A conversation by id, from the list or fetched; null if it does not exist or is hidden. A cached
 * conversation stays when the server deletes it, so that the member can finish reading or writing.
 */
export function useConversationQuery(id: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useQuery({
    ...conversationOptions(client, id, me),
    enabled: id !== null,
    // Not a placeholder, which a failure would take away.
    initialData: () => (id === null ? undefined : findInList(client, id)),
    initialDataUpdatedAt: 0,
    refetchOnWindowFocus: true,
  })
}

function conversationOptions(client: QueryClient, id: string | null, me: string) {
  return queryOptions({
    queryKey: conversationKeys.one(id ?? ''),
    meta: { keepsBlocked: true },
    staleTime: STALE.short,
    queryFn: async () => {
      if (id === null || !isUuid(id)) return null
      const known =
        client.getQueryData<Conversation | null>(conversationKeys.one(id)) ?? findInList(client, id)
      const [row] = await loadConversations([id])
      if (row !== undefined) return toConversation(row, me)
      if (known == null) return null
      forgetOnDisk(client, [messageKeys.history(id)])
      return goneConversation(id, known)
    },
  })
}

/** Returns a function that resolves with the member's mark of a conversation, as the server knows it; the known one after a failure. */
export function useLoadMark(id: string): () => Promise<Mark> {
  const client = useQueryClient()
  const { id: me } = useMe()
  const options = conversationOptions(client, id, me)
  return async () => {
    const read = await client.fetchQuery(options).catch(() => client.getQueryData(options.queryKey))
    return read?.mark ?? { mark_at: null, mark_id: null }
  }
}

function findInList(client: QueryClient, id: string): Conversation | undefined {
  return client
    .getQueriesData<Pages>({ queryKey: conversationKeys.lists })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.conversations) ?? [])
    .find((conversation) => conversation.id === id)
}

function changeConversation(
  client: QueryClient,
  id: string,
  change: (conversation: Conversation) => Conversation,
): void {
  const changed = (conversation: Conversation) =>
    conversation.id === id ? change(conversation) : conversation
  client.setQueriesData<Pages>(
    { queryKey: conversationKeys.lists },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, conversations: page.conversations.map(changed) })),
      },
  )
  client.setQueryData<Conversation | null>(conversationKeys.one(id), (one) => one && changed(one))
}

/** Moves a conversation to another folder, or out of the lists. */
export function moveConversation(client: QueryClient, id: string, folder: FolderOrNone): void {
  changeConversation(client, id, (conversation) => ({
    ...conversation,
    folder,
    isPinned: conversation.isPinned && folder === 'inbox',
  }))
}

export function showAsPinned(client: QueryClient, id: string, isPinned: boolean): void {
  changeConversation(client, id, (conversation) => ({ ...conversation, isPinned }))
}

/** Applies a change of the member's row of a conversation; refetches the list if that is not enough. */
export function applyViewRow(client: QueryClient, row: Tables<'conversation_views'>): void {
  const id = row.conversation_id
  const known = findInList(client, id)
  const { mark_at, mark_id, delivered_at: deliveredAt } = row
  changeConversation(client, id, (known) => {
    const conversation = { ...known, readsFrom: readsFromOf(row) }
    const marked =
      mark_at === null || mark_id === null
        ? conversation
        : afterMark(conversation, { created_at: mark_at, id: mark_id }, row.member_id)
    const isUnread = marked.isUnread || row.unread
    return marked.kind === 'pair'
      ? { ...marked, isUnread, deliveredAt }
      : { ...marked, isUnread, writes: row.writes }
  })
  const isListed = known?.folder === row.folder && known.isPinned === (row.pinned_at !== null)
  if (!isListed) refetchConversationsSoon(client)
}

/**
 * A folder's conversations in pages, latest first, the pinned ones on top. The inbox includes conversations that the member has
 * opened with somebody, and those with unsent messages.
 */
export function useConversationsQuery(folder: Folder, openId: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const bumps = useStore(bumpsOf(client))
  const unsent = useUnsentTimes()
  const { data: open } = useConversationQuery(openId)
  const query = useInfiniteQuery({
    queryKey: conversationKeys.list(folder),
    meta: { keepsBlocked: true },
    queryFn: ({ pageParam }) => readPage(client, me, folder, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    staleTime: 0,
    // There is no live event when a conversation is closed: refetch on focus.
    refetchOnWindowFocus: true,
  })
  const { data } = query
  const unlisted = useUnlistedConversations(folder === 'inbox' ? data : undefined, unsent)
  const conversations = useMemo(() => {
    const listed = data?.pages.flatMap((page) => page.conversations) ?? []
    // It has just moved to another folder.
    const here = listed.filter((each) => each.folder === folder)
    if (folder !== 'inbox') return latestFirst(here, {})
    const extra = bumpedConversations(client, bumps)
    if (open != null && open.id in bumps && !open.isGone) extra.push(open)
    const added = [...unlisted, ...extra].filter((each) => each.isGone || !isElsewhere(each))
    return pinnedFirst(latestFirst(withPendingTimes([...added, ...here], unsent), bumps))
  }, [client, folder, data, open, bumps, unlisted, unsent])
  return { ...query, conversations }
}

/** Whether another list has the conversation. */
function isElsewhere({ folder }: Conversation): boolean {
  return folder === 'requests' || folder === 'archived'
}

const NONE: readonly Conversation[] = []

/**
 * Conversations with a draft or pending message that the loaded pages do not contain: older ones, which rank
 * on top, and deleted ones, where the member finds their text.
 */
function useUnlistedConversations(
  data: InfiniteData<{ conversations: Conversation[] }> | undefined,
  unsent: Readonly<Record<string, string>>,
): readonly Conversation[] {
  const client = useQueryClient()
  const { id: me } = useMe()
  const draftIds = useDraftIds()
  const ids = useMemo(() => {
    if (data === undefined) return []
    const listed = new Set(data.pages.flatMap((page) => page.conversations).map(({ id }) => id))
    const wanted = new Set([...Object.keys(unsent), ...draftIds])
    return [...wanted].filter((id) => !listed.has(id)).slice(0, CONVERSATIONS_PAGE)
  }, [data, unsent, draftIds])
  const { data: unlisted = NONE } = useQuery({
    queryKey: conversationKeys.unlisted(ids),
    meta: { keepsBlocked: true },
    queryFn: async () => {
      const rows = byId(await loadConversations(ids))
      return ids.map((id) => {
        const row = rows.get(id)
        if (row !== undefined) return toConversation(row, me)
        return goneConversation(id, client.getQueryData<Conversation | null>(conversationKeys.one(id)))
      })
    },
    enabled: ids.length > 0,
    staleTime: STALE.short,
  })
  // A conversation with only a draft appears with its page.
  return useMemo(
    () => (ids.length === 0 ? NONE : unlisted.filter(({ id, isGone }) => isGone || id in unsent)),
    [ids, unlisted, unsent],
  )
}

/** Applies a message to the list; refetches the list if that is not enough. */
export function applyToList(client: QueryClient, message: StoredMessage, me: string): void {
  const known = findInList(client, message.conversation_id)
  const isReading = isReadingList(client)
  // Read in another window, perhaps not the last unread message.
  const isReadElsewhere =
    known?.isUnread === true && message.sender_id !== me && message.read && !isActive(known.id)
  changeConversation(client, message.conversation_id, (conversation) =>
    afterMessage(conversation, message, me),
  )
  // Every message brings an archived pair back, and an answer accepts a request.
  const isMoved =
    known?.kind === 'pair' && isElsewhere(known) && (!isRequest(known) || message.sender_id === me)
  if (known === undefined || isReading || isReadElsewhere || isMoved) refetchConversationsSoon(client)
}

function isReadingList(client: QueryClient): boolean {
  return client.isFetching({ queryKey: conversationKeys.lists }) > 0
}

/** Refetches the list once for several events, after a running fetch has finished. */
const refreshSoon = onePerClient((client: QueryClient) =>
  createThrottle(
    () => void refetchConversations(client),
    () => isReadingList(client),
  ),
)

export function refetchConversationsSoon(client: QueryClient): void {
  refreshSoon(client, client)()
}

/** Marks a conversation as read up to this message. */
export function showAsRead(client: QueryClient, until: StoredMessage, me: string): void {
  changeConversation(client, until.conversation_id, (conversation) => afterMark(conversation, until, me))
}

export function refetchConversations(client: QueryClient): Promise<void> {
  return refetch(client, conversationKeys.all)
}

/** Unread conversations beside the feed. */
const UNREAD_SHOWN = 4

/**
 * The latest unread conversations with members who can be answered. Refetched with their number. Nothing is loaded without unread
 * ones, nor before the first paint.
 */
export function useLatestUnread() {
  const { id: me } = useMe()
  const count = useUnreadConversationsCountQuery()
  const hasUnread = (count.data ?? 0) > 0
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => afterPaint(() => setIsPainted(true)), [])
  const list = useQuery({
    queryKey: unreadListKey,
    queryFn: async () => {
      const all = (await loadConversationPage('inbox', null)).map((row) => toConversation(row, me))
      return all.filter((each) => each.isUnread && isOpen(each)).slice(0, UNREAD_SHOWN)
    },
    enabled: hasUnread && isPainted,
    staleTime: STALE.short,
  })
  return {
    conversations: (hasUnread ? list.data : undefined) ?? NONE,
    isPending: count.isPending || (hasUnread && list.isPending),
  }
}

/** What a member says about themselves; null if they are hidden. Throws an `AppError`. */
export async function loadBio(memberId: string): Promise<string | null> {
  const member = await unwrap(supabase().from('profiles').select('bio').eq('id', memberId).maybeSingle())
  return member?.bio ?? null
}

export function useBioQuery(memberId: string) {
  return useQuery({
    queryKey: conversationKeys.bio(memberId),
    queryFn: () => loadBio(memberId),
    staleTime: STALE.minute,
  })
}
