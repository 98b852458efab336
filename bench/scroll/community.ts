import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDemoManifest } from '#/backend/demo/pictures'
import type { TablesInsert } from '#/shared/database.types'
import type { Member } from '#tests/e2e/support/member'

const ASSETS = 'resources/demo'

/** Maximum characters of data URLs per insert. */
const BATCH_CHARACTERS = 2_000_000

/**
 * Inserts photo posts by one member. Only posts for which `hasFullPicture` returns true (by index in the feed) get their full
 * picture, the others get their thumbnail: ten thousand full pictures would take a gigabyte.
 */
export async function insertPhotoPosts(
  author: Member,
  count: number,
  hasFullPicture: (index: number) => boolean,
): Promise<void> {
  const pictures = await loadPictures()
  let batch: TablesInsert<'posts'>[] = []
  let characters = 0
  const flush = async () => {
    const { error } = await author.api.from('posts').insert(batch)
    if (error !== null) throw error
    batch = []
    characters = 0
  }
  // The oldest post, which is the last in the feed, is inserted first.
  for (let index = count - 1; index >= 0; index -= 1) {
    const picture = pictures[index % pictures.length]
    if (picture === undefined) throw new Error('There are no photos in the demo community')
    const image = hasFullPicture(index) ? picture.imageUrl : picture.thumbnailUrl
    batch.push({
      id: randomUUID(),
      user_id: author.id,
      content: `Number ${index + 1}. ${picture.alt}`,
      image_url: image,
      thumbnail_url: picture.thumbnailUrl,
      image_width: picture.width,
      image_height: picture.height,
    })
    characters += image.length + picture.thumbnailUrl.length
    if (characters > BATCH_CHARACTERS) await flush()
  }
  if (batch.length > 0) await flush()
}

/** The pictures of the demo community's posts and stories. */
async function loadPictures() {
  const urlOf = async (file: string) =>
    `data:image/webp;base64,${await readFile(join(ASSETS, file), 'base64')}`
  const pictures = Object.values(await readDemoManifest(ASSETS)).flatMap((picture) =>
    picture.use === 'avatar' || picture.durationMs !== undefined ? [] : [picture],
  )
  return Promise.all(
    pictures.map(async ({ file, thumbnail, width, height, alt }) => {
      const [imageUrl, thumbnailUrl] = await Promise.all([urlOf(file), urlOf(thumbnail)])
      return { imageUrl, thumbnailUrl, width, height, alt }
    }),
  )
}
