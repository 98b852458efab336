import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { isUuid } from '#/renderer/lib/core/uuid'
import type { Mark } from '#/renderer/lib/live'
import { forgetObjects } from '#/renderer/lib/media-store'
import { byId, createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { type Cursor, newestFirst, oldestFirst } from '#/renderer/lib/queries/keyset'
import { KEEP, refetch, STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { Tables } from '#/shared/database.types'
import { MESSAGES_PAGE } from '#/shared/limits'
import { conversationKeys, messageKeys } from '../keys'
import { MESSAGE_COLUMNS, type Message, type MessageUpdate } from '../message'
import type { Conversation } from '../model/conversation'
import {
  GAP_MOST,
  type History,
  hasGap,
  mayMissUnread,
  trimmed,
  UNREAD_MOST,
  withAround,
  withNewer,
  withNewest,
  withOlder,
  withoutCleared,
  withUpdates,
} from '../model/history'
import { withoutClearedPhotos } from '../model/photos'
import { applyToPhotos, changePhotos, findPhoto } from './photos'

/**
 * Maximum number of messages per request in a refetch or with many unread messages (the embedded server answers with 166 and their
 * reactions), and room for new ones.
 */
const REFRESH = { most: 150, room: 10 } as const

/** Running fetches, each with the changes received meanwhile: the response may be older than those. */
const reads = onePerClient(() => new Map<string, Set<MessageUpdate[]>>())

function pendingReads(client: QueryClient, conversationId: string): Set<MessageUpdate[]> {
  const byConversation = reads(client)
  const running = byConversation.get(conversationId) ?? new Set()
  byConversation.set(conversationId, running)
  return running
}

/** The messages of a conversation, from a time on: the database looks at older ones one by one, to show none of them. */
function messagesOf(conversationId: string, from: string | null) {
  const query = supabase().from('messages').select(MESSAGE_COLUMNS).eq('conversation_id', conversationId)
  return from === null ? query : query.gte('created_at', from)
}

/** From when on the member reads a conversation, as far as it is known. */
function readsFrom(client: QueryClient, conversationId: string): string | null {
  const conversation = client.getQueryData<Conversation | null>(conversationKeys.one(conversationId))
  return conversation?.readsFrom ?? null
}

/** A page of a conversation, newest first. Throws an `AppError`. */
export function loadMessages(
  conversationId: string,
  after: Cursor,
  size: number,
  from: string | null = null,
  signal?: AbortSignal,
) {
  let query = messagesOf(conversationId, from)
  if (signal !== undefined) query = query.abortSignal(signal)
  return unwrap(newestFirst(query, { after, size, idColumn: 'id' }))
}

/** The messages after this one, oldest first. Throws an `AppError`. */
export function loadNewerMessages(
  conversationId: string,
  after: NonNullable<Cursor>,
  size: number,
  from: string | null = null,
) {
  return unwrap(oldestFirst(messagesOf(conversationId, from), after, size))
}

function cursorOf(message: Message): NonNullable<Cursor>
function cursorOf(message: Message | undefined): Cursor
function cursorOf(message: Message | undefined): Cursor {
  return message === undefined ? null : { createdAt: message.created_at, id: message.id }
}

/** Size of the next page after `count` messages: at most `UNREAD_MOST` in total while they are unread. */
function sizeAfter(count: number): number {
  return count < UNREAD_MOST ? Math.min(REFRESH.most, UNREAD_MOST - count) : REFRESH.most
}

/** A cursor with this id includes all messages of its time. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Reloads the stretch further up that is shown, because it may have changed too. */
async function reloadAround(
  conversationId: string,
  around: History['around'],
  from: string | null,
  signal: AbortSignal,
) {
  const { messages = [] } = around ?? {}
  const last = messages.at(-1)
  const found: Message[] = []
  let after = last && { createdAt: last.created_at, id: LAST_ID }
  while (after !== undefined && found.length < messages.length) {
    const size = Math.min(REFRESH.most, messages.length - found.length)
    const page: Message[] = await loadMessages(conversationId, after, size, from, signal)
    found.push(...page)
    const oldest = page.at(-1)
    after = page.length < size || oldest === undefined ? undefined : cursorOf(oldest)
  }
  return found
}

/**
 * Fetches the newest messages, down to the first unread and to the known ones, so that nothing between is
 * missed. Throws an `AppError`.
 *
 * @param loadMark the member's mark before these messages are marked; never rejects
 */
export async function readHistory(
  client: QueryClient,
  conversationId: string,
  me: string,
  loadMark: () => Promise<Mark>,
  signal: AbortSignal,
): Promise<History> {
  const key = messageKeys.history(conversationId)
  const known = client.getQueryData<History>(key)
  const count = known?.messages.length ?? 0
  let size = Math.min(REFRESH.most, Math.max(MESSAGES_PAGE, count + REFRESH.room))
  const changes: MessageUpdate[] = []
  const marked = loadMark()
  const from = readsFrom(client, conversationId)
  const running = pendingReads(client, conversationId)
  running.add(changes)
  try {
    const newest: Message[] = []
    let isWhole = false
    for (let isEnough = false; !isEnough; size = sizeAfter(newest.length)) {
      const page = await loadMessages(conversationId, cursorOf(newest.at(-1)), size, from, signal)
      newest.push(...page)
      isWhole = page.length < size
      isEnough =
        newest.length >= GAP_MOST ||
        (!hasGap(known, newest, isWhole) && !mayMissUnread(newest, isWhole, me, await marked))
    }
    if (hasGap(known, newest, isWhole)) return withUpdates(withNewest(undefined, newest, false), changes)
    changes.unshift(
      ...(await reloadAround(conversationId, client.getQueryData<History>(key)?.around, from, signal)),
    )
    // Merge into the current data: older pages may have been loaded meanwhile.
    return withUpdates(withNewest(client.getQueryData<History>(key), newest, isWhole), changes)
  } finally {
    running.delete(changes)
  }
}

/** The loaded messages of a conversation, oldest first; refetched whenever it is opened. */
export function useHistoryQuery(conversationId: string, loadMark: () => Promise<Mark>) {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(
    () => () => {
      client.setQueryData<History>(
        messageKeys.history(conversationId),
        (history) => history && trimmed(history, MESSAGES_PAGE),
      )
    },
    [client, conversationId],
  )
  return useQuery({
    queryKey: messageKeys.history(conversationId),
    meta: { keepsBlocked: true },
    queryFn: ({ signal }) => readHistory(client, conversationId, me, loadMark, signal),
    staleTime: 0,
  })
}

/**
 * Loads the page before the oldest loaded message while it is wanted. A fetch that failed for a transient reason is retried
 * like every other query; see `keepRecovering`.
 */
export function useOlderQuery(conversationId: string, oldest: Message | undefined, isWanted: boolean) {
  const client = useQueryClient()
  return useQuery({
    queryKey: messageKeys.older(conversationId, oldest?.id),
    meta: { keepsBlocked: true },
    queryFn: async () => {
      if (oldest === undefined) return 0
      const from = readsFrom(client, conversationId)
      const page = await loadMessages(conversationId, cursorOf(oldest), MESSAGES_PAGE, from)
      const isLast = page.length < MESSAGES_PAGE
      changeHistory(client, conversationId, (history) => withOlder(history, oldest, page, isLast))
      return page.length
    },
    enabled: isWanted && oldest !== undefined,
    retry: false,
    gcTime: 0,
  })
}

/** Loads the page after the newest message of a stretch further up, until it reaches the newest messages. */
export function useNewerQuery(conversationId: string, newest: Message | undefined, isWanted: boolean) {
  const client = useQueryClient()
  return useQuery({
    queryKey: messageKeys.newer(conversationId, newest?.id),
    meta: { keepsBlocked: true },
    queryFn: async () => {
      if (newest === undefined) return 0
      const from = readsFrom(client, conversationId)
      const page = await loadNewerMessages(conversationId, cursorOf(newest), MESSAGES_PAGE, from)
      const isLast = page.length < MESSAGES_PAGE
      changeHistory(client, conversationId, (history) => withNewer(history, page, isLast))
      return page.length
    },
    enabled: isWanted && newest !== undefined,
    retry: false,
    gcTime: 0,
  })
}

/** A message, with a page before and a page after it; null if it does not exist for the member. Throws an `AppError`. */
async function readAround(conversationId: string, id: string, from: string | null) {
  const message = await unwrap(
    supabase()
      .from('messages')
      .select(MESSAGE_COLUMNS)
      .eq('conversation_id', conversationId)
      .eq('id', id)
      .maybeSingle(),
  )
  if (message === null) return null
  const cursor = cursorOf(message)
  const [older, newer] = await Promise.all([
    loadMessages(conversationId, cursor, MESSAGES_PAGE, from),
    loadNewerMessages(conversationId, cursor, MESSAGES_PAGE, from),
  ])
  return {
    messages: [...older.reverse(), message, ...newer],
    hasOlder: older.length === MESSAGES_PAGE,
    newer,
  }
}

/** Loads what surrounds a message that is not loaded. Returns whether it may still be found. */
export function useAroundQuery(conversationId: string, id: string | null): boolean {
  const client = useQueryClient()
  const isWanted = id !== null && isUuid(id)
  const { data, isError } = useQuery({
    queryKey: messageKeys.around(conversationId, id ?? ''),
    meta: { keepsBlocked: true },
    queryFn: async ({ signal }) => {
      const found = await readAround(conversationId, id ?? '', readsFrom(client, conversationId))
      // The member has closed the conversation: it opens at its newest messages next time.
      signal.throwIfAborted()
      if (found === null) return false
      const { messages, hasOlder, newer } = found
      const isLast = newer.length < MESSAGES_PAGE
      changeHistory(client, conversationId, (history) => withAround(history, { messages, hasOlder }, isLast))
      return true
    },
    // Before the newest messages are loaded there is nothing to add it to.
    enabled: isWanted && getHistory(client, conversationId) !== undefined,
    retry: false,
    gcTime: 0,
  })
  return isWanted && !isError && data !== false
}

/** Merges a message into its conversation and its photos. */
export function upsertMessage(client: QueryClient, message: MessageUpdate): void {
  upsertMessages(client, [message])
}

function upsertMessages(client: QueryClient, messages: readonly MessageUpdate[]): void {
  const byConversation = new Map<string, MessageUpdate[]>()
  for (const message of messages) {
    const { conversation_id: id } = message
    for (const changes of pendingReads(client, id)) changes.push(message)
    if (message.deleted_at !== null) forgetPhotoOf(client, message)
    applyToPhotos(client, message)
    const updates = byConversation.get(id) ?? []
    updates.push(message)
    byConversation.set(id, updates)
  }
  for (const [id, updates] of byConversation)
    changeHistory(client, id, (history) => withUpdates(history, updates))
}

export interface MessageBatch {
  /** Merges the message at the end of this turn. */
  add(message: MessageUpdate): void
  /** Merges the added ones now. */
  apply(): void
}

/** Merges live messages. Those of one turn together: each merge sorts the loaded conversation. */
export function createMessageBatch(client: QueryClient): MessageBatch {
  let added: MessageUpdate[] = []
  const apply = () => {
    const messages = added
    added = []
    upsertMessages(client, messages)
  }
  return {
    add: (message) => {
      if (added.push(message) === 1) queueMicrotask(apply)
    },
    apply,
  }
}

/** Forgets the files of the photo of a message that was unsent. */
function forgetPhotoOf(client: QueryClient, { conversation_id, id }: MessageUpdate): void {
  const photoId = findLoaded(client, conversation_id, id)?.media_id ?? findPhoto(client, conversation_id, id)
  if (photoId === null) return
  const photo = client.getQueryData<PhotoRow | null>(messageKeys.photo(photoId))
  if (photo == null) return
  const { media_path, poster_path } = photo
  forgetObjects(client, (path) => path === media_path || path === poster_path)
}

export function getHistory(client: QueryClient, conversationId: string): History | undefined {
  return client.getQueryData<History>(messageKeys.history(conversationId))
}

export function changeHistory(
  client: QueryClient,
  conversationId: string,
  change: (history: History) => History,
): void {
  client.setQueryData<History>(messageKeys.history(conversationId), (history) => history && change(history))
}

/** Removes the messages and photos that the member has deleted with the conversation, up to this time. */
export function clearMessages(client: QueryClient, conversationId: string, clearedAt: string): void {
  changeHistory(client, conversationId, (history) => withoutCleared(history, clearedAt))
  changePhotos(client, conversationId, (data) => withoutClearedPhotos(data, clearedAt))
}

/** Refetches the shown conversations after changes may have been missed. */
export function refetchHistories(client: QueryClient): void {
  void refetch(client, messageKeys.histories)
}

export const quotedLoader = onePerClient(() =>
  createBatchLoader<Message>(
    async (ids) => byId(await unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids))),
    MESSAGES_PAGE,
  ),
)

/** A message of the loaded part of its conversation. */
export function findLoaded(client: QueryClient, conversationId: string, id: string): Message | undefined {
  return getHistory(client, conversationId)?.messages.find((message) => message.id === id)
}

/** The quoted message, also if it is not loaded; null if it does not exist. */
export function useQuotedQuery(conversationId: string, id: string) {
  const client = useQueryClient()
  const loaded = findLoaded(client, conversationId, id)
  const { data } = useQuery({
    queryKey: messageKeys.quoted(id),
    meta: { keepsBlocked: true },
    queryFn: () => quotedLoader(client)(id),
    enabled: loaded === undefined,
    staleTime: STALE.minute,
  })
  return loaded ?? data
}

interface RepliedStory {
  id: string
  thumbnail_url: string | null
  poster_path: string | null
  thumbhash: string | null
  expires_at: string
}

export const repliedStoryLoader = onePerClient(() =>
  createBatchLoader<RepliedStory>(async (ids) => {
    const running = supabase()
      .from('stories')
      .select('id,thumbnail_url,poster_path,thumbhash,expires_at')
      .gt('expires_at', 'now')
    return byId(await unwrap(running.in('id', ids)))
  }, MESSAGES_PAGE),
)

/** The story that a message replies to; null after it has expired. */
export function useRepliedStoryQuery(id: string | null) {
  return useQuery({
    queryKey: messageKeys.repliedStory(id),
    queryFn: ({ client }) => repliedStoryLoader(client)(id ?? ''),
    enabled: id !== null,
    staleTime: STALE.minute,
  })
}

/** A photo of a message: paths in Storage, or a data URL. */
export type PhotoRow = Pick<Tables<'message_media'>, 'id' | 'image_url' | 'media_path' | 'poster_path'>

export const photoLoader = onePerClient(() =>
  createBatchLoader<PhotoRow>(async (ids) => {
    const photos = supabase().from('message_media').select('id,image_url,media_path,poster_path')
    return byId(await unwrap(photos.in('id', ids)))
  }, 4),
)

/** The photo of a message; its thumbnail or ThumbHash is shown until then. */
export function useMessagePhotoQuery(photoId: string, isWanted: boolean) {
  return useQuery({
    queryKey: messageKeys.photo(photoId),
    queryFn: ({ client }) => photoLoader(client)(photoId),
    enabled: isWanted,
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  })
}
