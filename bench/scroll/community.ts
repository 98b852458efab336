import { randomUUID } from 'node:crypto'
import { type DemoPicture, loadDemoPictures } from '#/backend/demo/pictures'
import type { TablesInsert } from '#/shared/database.types'
import type { Member } from '#tests/e2e/support/member'

/** Characters of data URLs in one insert, at most. */
const AT_ONCE = 2_000_000

/**
 * Posts by this member with photographs, so many; in the feed's order, those that `isLookedAt` have their full
 * pictures, the others their thumbnails alone, or ten thousand would be a gigabyte.
 */
export async function insertPhotographs(
  author: Member,
  count: number,
  isLookedAt: (place: number) => boolean,
): Promise<void> {
  const pictures = [...(await loadDemoPictures('resources/demo')).values()].filter(
    (picture): picture is DemoPicture & { thumbnailUrl: string } =>
      picture.thumbnailUrl !== null && picture.durationMs === null,
  )
  let batch: TablesInsert<'posts'>[] = []
  let characters = 0
  const flush = async () => {
    const { error } = await author.api.from('posts').insert(batch)
    if (error !== null) throw error
    batch = []
    characters = 0
  }
  // Oldest first: the feed's last place is inserted before its first.
  for (let place = count - 1; place >= 0; place -= 1) {
    const picture = pictures[place % pictures.length]
    if (picture === undefined) throw new Error('There are no photographs in resources/demo')
    const image = isLookedAt(place) ? picture.dataUrl : picture.thumbnailUrl
    batch.push({
      id: randomUUID(),
      user_id: author.id,
      content: `Number ${place + 1}. ${picture.alt}`,
      image_url: image,
      thumbnail_url: picture.thumbnailUrl,
      image_width: picture.width,
      image_height: picture.height,
    })
    characters += image.length + picture.thumbnailUrl.length
    if (characters > AT_ONCE) await flush()
  }
  if (batch.length > 0) await flush()
}
