import { type PostWords, savePhotoWords, shownRatio, wordColumns } from '#/renderer/features/post'
import type { CameraDetails } from '#/renderer/lib/content/camera'
import { isRecord } from '#/renderer/lib/local/local-storage'
import type { PreparedPicture } from '#/renderer/lib/media'
import type { StoredPicture } from '#/renderer/lib/media/picture/picture-request'
import type { PreparedPostVideo } from '#/renderer/lib/media/video/prepare-video'
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

/** A video of a post as it leaves the composer. Without `picture`, so that earlier versions of the app refuse it, and post no still instead. */
export interface NewVideo extends Pick<PreparedPostVideo, 'video' | 'cover' | 'durationMs' | 'hasSound'> {
  altText: string
  /** WebVTT. */
  captions: string | null
}

/** A post as it leaves the composer. */
export interface NewPost extends Pick<PostWords, 'content' | 'location'> {
  photos: readonly (NewPhoto | NewVideo)[]
}

/** What stands for a photo or video while it is not played. */
export function stillOf(medium: NewPhoto | NewVideo): PreparedPicture {
  return 'video' in medium ? medium.cover : medium.picture
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

/** Uploads the stills of all photos and videos, then the videos, then inserts their post. */
async function insertMediaPost(row: OutboxRow<NewPost>, tools: SendTools) {
  const { id, payload } = row
  const { toStoredPicture, uploadParts } = await loadMediaTools()
  const stills: Record<string, Blob> = {}
  const videos: Record<string, Blob> = {}
  const sizes: Pick<StoredPicture, 'thumbhash' | 'width' | 'height'>[] = []
  for (const [index, medium] of payload.photos.entries()) {
    const { full, middle, feed, grid, thumbhash, width, height } = await toStoredPicture(stillOf(medium))
    Object.assign(stills, { [`full ${index}`]: full, [`feed ${index}`]: feed, [`grid ${index}`]: grid })
    if (middle !== undefined) stills[`middle ${index}`] = middle
    if ('video' in medium) videos[`video ${index}`] = medium.video
    sizes.push({ thumbhash, width, height })
  }
  const paths = await uploadParts({ ...stills, ...videos }, row, tools)
  const pathOf = (part: string, index: number) => paths[`${part} ${index}`] ?? ''
  const altTexts = payload.photos.map(({ altText }) => wordColumns({ ...payload, altText }, true).alt_text)
  const { content, location } = wordColumns({ ...payload, altText: '' }, false)
  await unwrap(
    supabase().rpc('create_post', {
      post_id: id,
      content,
      ...(location !== null && { location }),
      media: payload.photos.map((medium, index) => ({
        ...sizes[index],
        full_path: pathOf('full', index),
        middle_path: paths[`middle ${index}`] ?? null,
        feed_path: pathOf('feed', index),
        grid_path: pathOf('grid', index),
        alt_text: altTexts[index] ?? null,
        ...('video' in medium
          ? {
              kind: 'video',
              media_path: pathOf('video', index),
              duration_ms: medium.durationMs,
              has_sound: medium.hasSound,
              captions: medium.captions,
            }
          : { camera: cameraText(medium.camera ?? null) }),
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

function isVideo({
  video,
  cover,
  durationMs,
  hasSound,
  captions,
}: Readonly<Record<string, unknown>>): boolean {
  return (
    video instanceof Blob &&
    isRecord(cover) &&
    [cover.full, cover.feed, cover.grid].every((size) => size instanceof Blob) &&
    typeof durationMs === 'number' &&
    typeof hasSound === 'boolean' &&
    (captions === null || typeof captions === 'string')
  )
}

/** Posts in the outbox (CREATE-04, CREATE-10): `features/composer` submits them, and the feed shows the pending ones. */
export const postKind: OutboxKind<NewPost> = {
  name: POST_KIND,
  action: 'share post',
  accepts: (payload) => {
    if (!isRecord(payload)) return false
    const { content, location, photos } = payload
    const isMedium = (medium: unknown) =>
      isRecord(medium) &&
      typeof medium.altText === 'string' &&
      ('video' in medium ? isVideo(medium) : isRecord(medium.picture))
    return (
      typeof content === 'string' &&
      typeof location === 'string' &&
      Array.isArray(photos) &&
      photos.every(isMedium)
    )
  },
  send: async (row, me, client, tools) => {
    if (row.payload.photos.length > 0) await insertMediaPost(row, tools)
    else await insertPost(row, me)
    const stills = row.payload.photos.map(stillOf)
    const ratio = shownRatio({ media: stills, image_width: null, image_height: null })
    addToFeed(client, { id: row.id, author: me, ratio })
  },
}

/** All posts of a member are sent in order. */
export const POST_SCOPE = 'post'
