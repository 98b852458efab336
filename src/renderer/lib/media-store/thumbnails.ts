import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { type PictureSource, thumbnailSource } from './picture-source'

const LOAD_THUMBNAILS = {
  posts: async (ids: string[]) => {
    const rows = await unwrap(
      supabase()
        .from('posts')
        .select('id,thumbnail_url,media:post_media(position,grid_path,thumbhash)')
        .in('id', ids),
    )
    return rows.map(({ id, thumbnail_url, media }) => {
      const first = media.find(({ position }) => position === 0)
      return [id, thumbnailSource(first?.grid_path, first?.thumbhash, thumbnail_url)] as const
    })
  },
  stories: async (ids: string[]) => {
    const rows = await unwrap(
      supabase().from('stories').select('id,thumbnail_url,poster_path,thumbhash,expires_at').in('id', ids),
    )
    return rows.map(
      ({ id, thumbnail_url, poster_path, thumbhash, expires_at }) =>
        [id, thumbnailSource(poster_path, thumbhash, thumbnail_url, 'poster', expires_at)] as const,
    )
  },
} as const

/** Creates a batch loader for the thumbnails of posts or stories by id. Resolves to null if there is none. */
export function createThumbnailLoader(table: 'posts' | 'stories', size: number) {
  return createBatchLoader<PictureSource>(async (ids) => {
    const found = await LOAD_THUMBNAILS[table](ids)
    return new Map(found.flatMap(([id, source]) => (source === null ? [] : [[id, source]])))
  }, size)
}
