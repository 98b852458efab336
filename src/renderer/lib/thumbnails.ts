import { createBatchLoader } from './batch-loader'
import { supabase, unwrap } from './supabase'

/** Small stills by the ids of their posts or stories, as data URLs, `size` with a request; null where there is none. */
export function createThumbnailLoader(table: 'posts' | 'stories', size: number) {
  return createBatchLoader<string>(async (ids) => {
    const rows = await unwrap(supabase().from(table).select('id,thumbnail_url').in('id', ids))
    return new Map(
      rows.flatMap(({ id, thumbnail_url }) => (thumbnail_url === null ? [] : [[id, thumbnail_url]])),
    )
  }, size)
}
