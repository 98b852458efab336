import { type PostWords, wordColumns } from '#/renderer/features/post'
import type { PreparedPicture } from '#/renderer/lib/media'
import type { OutboxKind } from '#/renderer/lib/outbox'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { addToFeed } from './queries'

/** A post as it leaves the composer. */
export interface NewPost extends PostWords {
  picture: PreparedPicture | null
}

/** Posts in the outbox (CREATE-04, CREATE-10): `features/composer` submits them, and the feed shows the pending ones. */
export const postKind: OutboxKind<NewPost> = {
  name: 'post',
  action: 'share post',
  send: async ({ id, payload }, me, client) => {
    const { picture } = payload
    const columns = wordColumns(payload, picture !== null)
    const posts = supabase().from('posts')
    const stored = await unwrap(
      posts
        .upsert(
          {
            id,
            user_id: me,
            image_url: picture?.dataUrl ?? null,
            thumbnail_url: picture?.thumbnailUrl ?? null,
            image_width: picture?.width ?? null,
            image_height: picture?.height ?? null,
            ...columns,
          },
          { ignoreDuplicates: true },
        )
        .select('id'),
    )
    // An earlier attempt had stored it, and its response was lost; the texts may have changed since.
    if (stored.length === 0) await unwrap(posts.update(columns).eq('id', id))
    addToFeed(client, id, me)
  },
}

/** All posts of a member are sent in order. */
export const POST_SCOPE = 'post'
