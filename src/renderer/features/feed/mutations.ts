import { type PostWords, savePhotoWords, wordColumns } from '#/renderer/features/post'
import type { InlinePicture, PreparedPicture } from '#/renderer/lib/media'
import { mediaKind } from '#/renderer/lib/media/kind-store'
import { removeMedia } from '#/renderer/lib/media-store'
import { loadMediaTools } from '#/renderer/lib/media-store/load-tools'
import type { OutboxKind, OutboxRow, SendTools } from '#/renderer/lib/outbox'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { addToFeed } from './queries'

/** A post as it leaves the composer. */
export interface NewPost extends PostWords {
  picture: PreparedPicture | null
}

/** Inserts a post without a photo, or with an inline one. */
async function insertPost(id: string, me: string, words: PostWords, picture: InlinePicture | null) {
  const columns = wordColumns(words, picture !== null)
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
}

/** Uploads the sizes of a photo, then inserts its post. */
async function insertPhotoPost(row: OutboxRow<NewPost>, picture: PreparedPicture, tools: SendTools) {
  const { toStoredPicture, uploadParts } = await loadMediaTools()
  const { full, feed, grid, ...photo } = await toStoredPicture(picture)
  const paths = await uploadParts({ full, feed, grid }, row, tools)
  const { id, payload } = row
  const { content, location, alt_text } = wordColumns(payload, true)
  const columns = {
    ...photo,
    full_path: paths.full,
    feed_path: paths.feed,
    grid_path: paths.grid,
    alt_text,
  }
  await unwrap(
    supabase().rpc('create_post', {
      post_id: id,
      content,
      ...(location !== null && { location }),
      photos: [columns],
    }),
  )
  const stored = await unwrap(
    supabase().from('post_photos').select('full_path').eq('post_id', id).eq('position', 0).maybeSingle(),
  )
  if (stored?.full_path === paths.full) return
  // An earlier attempt had stored it, and its response was lost; the texts may have changed since.
  await savePhotoWords(id, payload)
  void removeMedia(Object.values(paths))
}

/** Posts in the outbox (CREATE-04, CREATE-10): `features/composer` submits them, and the feed shows the pending ones. */
export const postKind: OutboxKind<NewPost> = {
  name: 'post',
  action: 'share post',
  send: async (row, me, client, tools) => {
    const { id, payload } = row
    const { picture } = payload
    if (picture === null) await insertPost(id, me, payload, null)
    else if ((await mediaKind()) === 'storage') await insertPhotoPost(row, picture, tools)
    else if ('dataUrl' in picture) await insertPost(id, me, payload, picture)
    else await insertPost(id, me, payload, await (await loadMediaTools()).toInlinePicture(picture))
    addToFeed(client, id, me)
  },
}

/** All posts of a member are sent in order. */
export const POST_SCOPE = 'post'
