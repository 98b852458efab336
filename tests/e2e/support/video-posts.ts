import { storedVideo } from '../fixtures/videos'
import type { Member } from './member'
import { png } from './png'

interface WantedVideo {
  altText?: string
  /** In pixels, of the cover. */
  size?: readonly [width: number, height: number]
  /** WebVTT. */
  captions?: string
  durationMs?: number
  /** Otherwise one of 45 seconds. */
  file?: Buffer
}

/** Inserts a post with these videos in Storage, each with a plain cover, and returns its id. */
export async function insertVideoPost(
  author: Member,
  wanted: readonly WantedVideo[],
  content = '',
): Promise<string> {
  const upload = async (name: string, file: Buffer, contentType: string) => {
    const path = `${author.id}/${crypto.randomUUID()}.${name}`
    const { error } = await author.api.storage.from('media').upload(path, file, { contentType })
    if (error) throw error
    return path
  }
  const media = await Promise.all(
    wanted.map(async ({ altText = null, size = [480, 270], captions = null, durationMs = 45_000, file }) => {
      const cover = await upload(
        'png',
        png(...size, (x, y) => [(x + y) % 256, 90, 160]),
        'image/png',
      )
      const video = await upload('mp4', file ?? (await storedVideo('forty-five-seconds.mp4')), 'video/mp4')
      return {
        kind: 'video',
        media_path: video,
        full_path: cover,
        feed_path: cover,
        grid_path: cover,
        width: size[0],
        height: size[1],
        thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
        duration_ms: durationMs,
        has_sound: true,
        captions,
        alt_text: altText,
      }
    }),
  )
  const id = crypto.randomUUID()
  await author.api.rpc('create_post', { post_id: id, content, media }).throwOnError()
  return id
}
