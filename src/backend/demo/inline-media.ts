import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoMedia } from './media'
import type { DemoManifest, DemoPhoto } from './pictures'

/** The size that fits into a row. */
const shown = ({ file, feed = file }: DemoPhoto) => feed

/** Stores pictures and videos as data URLs in the rows. */
export async function loadInlineMedia(assetsDir: string, manifest: DemoManifest): Promise<DemoMedia> {
  const urls = new Map<string, string>()
  const names = Object.values(manifest).flatMap((picture) =>
    picture.use === 'avatar' ? [picture.thumbnail] : [shown(picture), picture.thumbnail],
  )
  await Promise.all(
    names.map(async (name) => {
      const type = name.endsWith('.webm') ? 'video/webm' : 'image/webp'
      urls.set(name, `data:${type};base64,${await readFile(join(assetsDir, name), 'base64')}`)
    }),
  )
  const urlOf = (file: string | undefined) => (file === undefined ? null : urls.get(file))

  return {
    avatar: (_, { thumbnail }) => ({ avatar_url: urlOf(thumbnail) }),
    post: (_, [picture]) => ({
      columns: {
        image_url: urlOf(picture === undefined ? undefined : shown(picture)),
        thumbnail_url: urlOf(picture?.thumbnail),
        image_width: picture?.width ?? null,
        image_height: picture?.height ?? null,
        alt_text: picture?.alt ?? null,
      },
      photos: [],
    }),
    story: (_, { file, thumbnail }) => ({ media_url: urlOf(file), thumbnail_url: urlOf(thumbnail) }),
    message: (_, picture) => ({
      columns: { thumbnail_url: urlOf(picture?.thumbnail) },
      photoColumns: { image_url: urlOf(picture === null ? undefined : shown(picture)) },
    }),
  }
}
