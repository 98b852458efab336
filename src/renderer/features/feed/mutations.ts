import { type PostWords, savePhotoWords, shownRatio, wordColumns } from '#/renderer/features/post'
import type { CameraDetails } from '#/renderer/lib/content/camera'
import { isRecord } from '#/renderer/lib/local/local-storage'
import type { PreparedPicture } from '#/renderer/lib/media'
import type { StoredPicture } from '#/renderer/lib/media/picture/picture-request'
import { removeMedia } from '#/renderer/lib/media-store'
import type { OutboxKind, OutboxRow, SendTools } from '#/renderer/lib/outbox'
import { loadMediaTools } from '#/renderer/lib/outbox/load-tools'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { POST_KIND } from './keys'
import { addToFeed } from './queries'

/** A photo of a post as it leaves the composer. */
export interface NewPhoto {
  picture: PreparedPicture
  altText: string
  /** The camera details that the member has chosen to show. */
  camera: CameraDetails | null
}

/** A post as it leaves the composer. */
export interface NewPost extends Pick<PostWords, 'content' | 'location'> {
  photos: readonly NewPhoto[]
}

/** Inserts a post without a photo. */
async function insertPost({ id, payload }: OutboxRow<NewPost>, me: string) {
  const columns = wordColumns({ ...payload, altText: '' }, false)
  const posts = supabase().from('posts')
  const stored = await unwrap(
    posts.upsert({ id, user_id: me, ...columns }, { ignoreDuplicates: true }).select('id'),
  )
  // An earlier attempt had stored it, and its response was lost; the texts may have changed since.
  if (stored.length === 0) await unwrap(posts.update(columns).eq('id', id))
}

/** The function takes it as text, because its arguments cannot contain nested objects. */
function cameraText(camera: CameraDetails | null): string | null {
  return camera === null ? null : JSON.stringify(camera)
}

/** Uploads the sizes of all photos, then inserts their post. */
async function insertPhotoPost(row: OutboxRow<NewPost>, tools: SendTools) {
  const { id, payload } = row
  const { toStoredPicture, uploadParts } = await loadMediaTools()
  const parts: Record<string, Blob> = {}
  const photos: Pick<StoredPicture, 'thumbhash' | 'width' | 'height'>[] = []
  for (const [index, { picture }] of payload.photos.entries()) {
    const { full, middle, feed, grid, thumbhash, width, height } = await toStoredPicture(picture)
    Object.assign(parts, { [`full ${index}`]: full, [`feed ${index}`]: feed, [`grid ${index}`]: grid })
    if (middle !== undefined) parts[`middle ${index}`] = middle
    photos.push({ thumbhash, width, height })
  }
  const paths = await uploadParts(parts, row, tools)
  const pathOf = (size: string, index: number) => paths[`${size} ${index}`] ?? ''
  const altTexts = payload.photos.map(({ altText }) => wordColumns({ ...payload, altText }, true).alt_text)
  const { content, location } = wordColumns({ ...payload, altText: '' }, false)
  await unwrap(
    supabase().rpc('create_post', {
      post_id: id,
      content,
      ...(location !== null && { location }),
      media: photos.map((photo, index) => ({
        ...photo,
        full_path: pathOf('full', index),
        middle_path: paths[`middle ${index}`] ?? null,
        feed_path: pathOf('feed', index),
        grid_path: pathOf('grid', index),
        alt_text: altTexts[index] ?? null,
        camera: cameraText(payload.photos[index]?.camera ?? null),
      })),
    }),
  )
  const stored = await unwrap(
    supabase().from('post_media').select('full_path').eq('post_id', id).eq('position', 0).maybeSingle(),
  )
  if (stored?.full_path === pathOf('full', 0)) return
  // An earlier attempt had stored it, and its response was lost; the texts may have changed since.
  await savePhotoWords(id, { content, location }, altTexts)
  void removeMedia(Object.values(paths))
}

/** Posts in the outbox (CREATE-04, CREATE-10): `features/composer` submits them, and the feed shows the pending ones. */
export const postKind: OutboxKind<NewPost> = {
  name: POST_KIND,
  action: 'share post',
  accepts: (payload) => {
    if (!isRecord(payload)) return false
    const { content, location, photos } = payload
    const isPhoto = (photo: unknown) =>
      isRecord(photo) && isRecord(photo.picture) && typeof photo.altText === 'string'
    return (
      typeof content === 'string' &&
      typeof location === 'string' &&
      Array.isArray(photos) &&
      photos.every(isPhoto)
    )
  },
  send: async (row, me, client, tools) => {
    if (row.payload.photos.length > 0) await insertPhotoPost(row, tools)
    else await insertPost(row, me)
    const photos = row.payload.photos.map(({ picture }) => picture)
    const ratio = shownRatio({ media: photos, image_width: null, image_height: null })
    addToFeed(client, { id: row.id, author: me, ratio })
  },
}

/** All posts of a member are sent in order. */
export const POST_SCOPE = 'post'
