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
  /** As its author says. */
  hasSound?: boolean
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
    wanted.map(
      async ({ altText = null, size = [480, 270], captions = null, durationMs = 45_000, ...video }) => {
        const file = video.file ?? (await storedVideo('forty-five-seconds.mp4'))
        const cover = await upload(
          'png',
          png(...size, (x, y) => [(x + y) % 256, 90, 160]),
          'image/png',
        )
        const path = await upload('mp4', file, 'video/mp4')
        return {
          kind: 'video',
          media_path: path,
          full_path: cover,
          feed_path: cover,
          grid_path: cover,
          width: size[0],
          height: size[1],
          thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
          duration_ms: durationMs,
          has_sound: video.hasSound ?? true,
          captions,
          alt_text: altText,
        }
      },
    ),
  )
  const id = crypto.randomUUID()
  await author.api.rpc('create_post', { post_id: id, content, media }).throwOnError()
  return id
}
