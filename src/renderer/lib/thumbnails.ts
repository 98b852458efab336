import { createBatchLoader } from './batch-loader'
import { supabase, unwrap } from './supabase'

/**
 * Creates a batch loader for the thumbnails of posts or stories by id. Resolves to a data URL, or null if there is
 * none.
 */
export function createThumbnailLoader(table: 'posts' | 'stories', size: number) {
  return createBatchLoader<string>(async (ids) => {
    const rows = await unwrap(supabase().from(table).select('id,thumbnail_url').in('id', ids))
    return new Map(
      rows.flatMap(({ id, thumbnail_url }) => (thumbnail_url === null ? [] : [[id, thumbnail_url]])),
    )
  }, size)
}
