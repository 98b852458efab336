import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { byId, createBatchLoader } from '#/renderer/lib/batch-loader'
import { KEEP, onePerClient, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { MESSAGES_PAGE } from '#/shared/limits'
import { getHistory } from './history-query'
import { MESSAGE_COLUMNS, type Message } from './message'

export const quotedLoader = onePerClient(() =>
  createBatchLoader<Message>(
    async (ids) => byId(await unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids))),
    MESSAGES_PAGE,
  ),
)

function findLoaded(client: QueryClient, conversationId: string, id: string): Message | undefined {
  return getHistory(client, conversationId)?.messages.find((message) => message.id === id)
}

/** The message that another one answers, also when it is far above; null when it is not there. */
export function useQuotedQuery(conversationId: string, id: string) {
  const client = useQueryClient()
  const loaded = findLoaded(client, conversationId, id)
  const { data } = useQuery({
    queryKey: ['quoted message', id],
    meta: { keepsBlocked: true },
    queryFn: () => quotedLoader(client)(id),
    enabled: loaded === undefined,
    staleTime: STALE.minute,
  })
  return loaded ?? data
}

/** A story as a card shows it. */
interface AnsweredStory {
  id: string
  thumbnail_url: string | null
}

export const answeredStoryLoader = onePerClient(() =>
  createBatchLoader<AnsweredStory>(async (ids) => {
    const running = supabase().from('stories').select('id,thumbnail_url').gt('expires_at', 'now')
    return byId(await unwrap(running.in('id', ids)))
  }, MESSAGES_PAGE),
)

/** The story that a message answers; null when it has expired. */
export function useAnsweredStoryQuery(id: string | null) {
  return useQuery({
    queryKey: ['answered story', id],
    queryFn: ({ client }) => answeredStoryLoader(client)(id ?? ''),
    enabled: id !== null,
    staleTime: STALE.minute,
  })
}

export const photoLoader = onePerClient(() =>
  createBatchLoader<string>(async (ids) => {
    const rows = await unwrap(supabase().from('message_photos').select('id,image_url').in('id', ids))
    return new Map(rows.map((row) => [row.id, row.image_url]))
  }, 4),
)

/** A message's full photo as a data URL; its thumbnail stands in until it is there. */
export function useMessagePhotoQuery(photoId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['message photo', photoId],
    queryFn: ({ client }) => photoLoader(client)(photoId),
    enabled: isWanted,
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  })
}
