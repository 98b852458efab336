import { randomUUID } from 'node:crypto'
import type { TablesInsert } from '#/shared/database.types'
import type { Member } from './member'
import { dataUrl, noisePng } from './png'

/** Requests of the pages of posts except the first: they start after a post. */
export const NEXT_PAGES = /\/rest\/v1\/posts\?.*created_at=lte/

/** Rows per insert: they have the same `created_at`, so that pages also have equal times. */
const AT_ONCE = 20

interface PostsOptions {
  /** Approximate size of each thumbnail in bytes; 0 for posts without a picture. */
  thumbnailBytes?: number
  /** The text of the n-th post, counted from 0. */
  content?: (index: number) => string
}

/** A statement that exceeded its time limit on a busy machine was rolled back: send it again. */
async function insert(author: Member, rows: TablesInsert<'posts'>[]): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const { error } = await author.api.from('posts').insert(rows)
    if (error === null) return
    if (error.code !== '57014' || attempt === 3) throw error
  }
}

/** Inserts posts of this member, many at a time, and returns their ids, oldest first. */
export async function insertPosts(
  author: Member,
  count: number,
  { thumbnailBytes = 0, content = (index) => `Post number ${index}` }: PostsOptions = {},
): Promise<string[]> {
  const side = Math.round(Math.sqrt(thumbnailBytes / 3))
  // A few different pictures are enough, and faster to generate than one for each post.
  const pictures = thumbnailBytes > 0 ? [0, 1, 2, 3].map((seed) => dataUrl(noisePng(side, seed))) : []
  const rows = Array.from({ length: count }, (_, index): TablesInsert<'posts'> => {
    const picture = pictures[index % pictures.length]
    return {
      id: randomUUID(),
      user_id: author.id,
      content: content(index),
      ...(picture !== undefined && {
        image_url: picture,
        thumbnail_url: picture,
        image_width: side,
        image_height: side,
      }),
    }
  })
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await insert(author, rows.slice(from, from + AT_ONCE))
  }
  return rows.map(({ id }) => id ?? '')
}

/** Likes a post as this member. */
export async function likePost(fan: Member, post: string): Promise<void> {
  await fan.api.from('likes').insert({ post_id: post, user_id: fan.id }).throwOnError()
}
