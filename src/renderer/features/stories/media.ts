import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createThumbnailLoader } from '#/renderer/lib/batch-loader'
// Not by the folder's index: the strip would load all that makes pictures smaller.
import { blobOfDataUrl } from '#/renderer/lib/media/data-url'
import { KEEP, onePerClient, STALE } from '#/renderer/lib/query-client'
import { supabase, unwrap } from '#/renderer/lib/supabase'

/** How many thumbnails come with one request. */
const THUMBNAILS_PAGE = 20

/** A picture as a data URL; a video as bytes, of which an element plays and seeks a part at a time. */
export type StoryMedia = { kind: 'image'; url: string } | { kind: 'video'; video: Blob }

const thumbnailLoader = onePerClient(() => createThumbnailLoader('stories', THUMBNAILS_PAGE))

/** A story's full media; null when it is gone or has expired. Throws an `AppError`. */
export async function loadMedia(id: string): Promise<StoryMedia | null> {
  const [row] = await unwrap(supabase().from('stories').select('media_type,media_url').eq('id', id))
  if (row === undefined) return null
  if (row.media_type === 'video') return { kind: 'video', video: await blobOfDataUrl(row.media_url) }
  return { kind: 'image', url: row.media_url }
}

function thumbnailOptions(id: string) {
  return {
    queryKey: ['story thumbnail', id],
    queryFn: ({ client }: { client: QueryClient }) => thumbnailLoader(client)(id),
    staleTime: STALE.immutable,
  }
}

function mediaOptions(id: string) {
  return {
    queryKey: ['story media', id],
    queryFn: () => loadMedia(id),
    staleTime: STALE.immutable,
    gcTime: KEEP.picture,
  }
}

/** A story's small still as a data URL, of a video too; null where another client made none. Asked for no story, nothing. */
export function useThumbnailQuery(id: string | null) {
  return useQuery({ ...thumbnailOptions(id ?? ''), enabled: id !== null })
}

/** A story's full media; null when it is gone or has expired. */
export function useMediaQuery(id: string) {
  return useQuery(mediaOptions(id))
}

/** Reads a story's still ahead of time; many at once are one request. */
export function prefetchThumbnail(client: QueryClient, id: string): void {
  void client.prefetchQuery(thumbnailOptions(id))
}

/** Reads all of a story ahead of time, and decodes its picture, so that it is there with the click. */
export function prefetchMedia(client: QueryClient, id: string): void {
  prefetchThumbnail(client, id)
  void client.fetchQuery(mediaOptions(id)).then(decodeAhead, () => undefined)
}

/** Lets go of a story's still and media: what was deleted is not kept. */
export function forgetMedia(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: mediaOptions(id).queryKey })
  client.removeQueries({ queryKey: thumbnailOptions(id).queryKey })
}

async function decodeAhead(media: StoryMedia | null): Promise<void> {
  if (media?.kind !== 'image') return
  const image = new Image()
  image.src = media.url
  await image.decode().catch(() => undefined)
}

/** Has what comes next loaded while one watches. */
export function usePrefetchedMedia(ids: readonly string[]): void {
  const client = useQueryClient()
  const wanted = ids.join()
  useEffect(() => {
    for (const id of wanted.split(',')) if (id !== '') prefetchMedia(client, id)
  }, [client, wanted])
}
