import { rgbaToThumbHash } from 'thumbhash'
import type { Member } from './member'
import { png } from './png'

export interface WantedPhoto {
  /** In pixels. */
  size: readonly [width: number, height: number]
  altText?: string
}

const SIDE = 8

function thumbhashOf(shade: number): string {
  const pixels = new Uint8Array(SIDE * SIDE * 4).map((_, index) => (index % 4 === 3 ? 255 : shade))
  return Buffer.from(rgbaToThumbHash(SIDE, SIDE, pixels)).toString('base64')
}

/** Pictures of grids and feeds may not be larger, in pixels. */
const SMALL_SIDE = 600

/** Inserts a post with these photos in Storage, each in another colour, and returns its id. Needs a server with Storage. */
export async function insertPhotoPost(
  author: Member,
  wanted: readonly WantedPhoto[],
  content = '',
): Promise<string> {
  const photos = await Promise.all(
    wanted.map(async ({ size: [width, height], altText = null }, index) => {
      const isLarge = Math.max(width, height) > 1_200
      const shade = 60 + index * 18
      const upload = async (scale: number) => {
        const path = `${author.id}/${crypto.randomUUID()}.png`
        const size = [Math.round(width * scale), Math.round(height * scale)] as const
        const file = png(...size, (x, y) => [Math.round((x + y) / scale) % 256, shade, 200 - shade])
        const { error } = await author.api.storage
          .from('media')
          .upload(path, file, { contentType: 'image/png' })
        if (error) throw error
        return path
      }
      const full = await upload(1)
      const scale = SMALL_SIDE / Math.max(width, height)
      const small = isLarge ? await upload(scale) : full
      const paths = { full_path: full, feed_path: small, grid_path: small }
      return { ...paths, width, height, thumbhash: thumbhashOf(shade), alt_text: altText }
    }),
  )
  const id = crypto.randomUUID()
  await author.api.rpc('create_post', { post_id: id, content, media: photos }).throwOnError()
  return id
}
