import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Cursor, firstPage, newestFirst, nextCursor, nextPage } from '#/renderer/lib/queries/keyset'
import { refetch } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { GRID_PAGE } from '#/shared/limits'
import { messageKeys } from '../keys'
import type { StoredMessage } from '../message'
import { type PhotoMessage, type PhotoPages, photosOf, withPhotoMessage } from '../model/photos'

const COLUMNS = 'id,sender_id,created_at,media_id,thumbnail_url,thumbhash,image_width,image_height'

/** A page of the messages of a conversation that have a photo, newest first; unsent ones have none. Throws an `AppError`. */
export function loadSharedPhotos(
  conversationId: string,
  after: Cursor,
  signal?: AbortSignal,
): Promise<PhotoMessage[]> {
  let photos = supabase()
    .from('messages')
    .select(COLUMNS)
    .eq('conversation_id', conversationId)
    .not('media_id', 'is', null)
  if (signal !== undefined) photos = photos.abortSignal(signal)
  return unwrap(newestFirst(photos, { after, size: GRID_PAGE, idColumn: 'id' }))
}

/** The photos of a conversation in pages, newest first; refetched whenever it is opened. */
export function useSharedPhotosQuery(conversationId: string) {
  const client = useQueryClient()
  const queryKey = messageKeys.photos(conversationId)
  // Only the first page is kept: opening the pane refetches every page that it has.
  useEffect(
    () => () => void client.setQueryData<PhotoPages>(messageKeys.photos(conversationId), firstPage),
    [client, conversationId],
  )
  return useInfiniteQuery({
    queryKey,
    meta: { keepsBlocked: true },
    queryFn: async ({ pageParam, signal }) => {
      const photos = await loadSharedPhotos(conversationId, pageParam, signal)
      const cursorOf = ({ created_at, id }: PhotoMessage) => ({ createdAt: created_at, id })
      return { photos, next: nextCursor(photos, GRID_PAGE, cursorOf) }
    },
    initialPageParam: null as Cursor,
    getNextPageParam: nextPage,
    select: photosOf,
    staleTime: 0,
  })
}

/** Changes the loaded photos of a conversation, if there are any. */
export function changePhotos(
  client: QueryClient,
  conversationId: string,
  change: (data: PhotoPages) => PhotoPages,
): void {
  const queryKey = messageKeys.photos(conversationId)
  client.setQueryData<PhotoPages>(queryKey, (data) => data && change(data))
  // The response of a running fetch may be older than the change.
  if (client.getQueryState(queryKey)?.fetchStatus === 'fetching') void refetch(client, queryKey)
}

/** Applies a sent message or a live event to the loaded photos. */
export function applyToPhotos(client: QueryClient, message: StoredMessage): void {
  if (message.media_id === null && message.deleted_at === null) return
  changePhotos(client, message.conversation_id, (data) => withPhotoMessage(data, message))
}

/** The photo of a message, if it is among the loaded ones. */
export function findPhoto(client: QueryClient, conversationId: string, id: string): string | null {
  const data = client.getQueryData<PhotoPages>(messageKeys.photos(conversationId))
  const known = data?.pages.flatMap(({ photos }) => photos).find((photo) => photo.id === id)
  return known?.media_id ?? null
}
