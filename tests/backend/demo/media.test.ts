import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueue } from '#/backend/base/queue'
import { DEMO_MEMBERS, DEMO_POSTS, DEMO_STORIES } from '#/backend/demo/community'
import { pictureNames } from '#/backend/demo/rows'
import { seedDemo } from '#/backend/demo/seed-demo'
import { openObjectFiles } from '#/backend/objects/object-files'
import { createObjectSweep } from '#/backend/objects/sweep-objects'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { readDimensions, sniffMedia } from '#/shared/media-formats'
import { type EmptyCommunity, openEmptyCommunity } from '#tests/backend/demo/community'

const PHOTO_POSTS = DEMO_POSTS.filter(({ picture }) => picture !== undefined).length
const PHOTOS = DEMO_POSTS.flatMap(pictureNames).length

interface ObjectRow {
  id: string
  name: string
  owner_id: string
  metadata: { size: number; mimetype: string; eTag: string }
}

const objectsOf = ({ rows }: EmptyCommunity) =>
  rows<ObjectRow>(`select id, name, owner_id, metadata from storage.objects where bucket_id = 'media'`)

/** Each column with keys, and how many rows of the community have one. */
const KEY_COLUMNS = [
  { column: 'post_media.full_path', count: PHOTOS },
  { column: 'post_media.middle_path', count: 1 },
  { column: 'post_media.feed_path', count: PHOTOS },
  { column: 'post_media.grid_path', count: PHOTOS },
  { column: 'post_media.media_path', count: 1 },
  { column: 'stories.media_path', count: DEMO_STORIES.length },
  { column: 'stories.poster_path', count: DEMO_STORIES.length },
  { column: 'message_media.media_path', count: 1 },
  { column: 'message_media.poster_path', count: 1 },
  { column: 'profiles.avatar_path', count: DEMO_MEMBERS.length },
].map(({ column, count }) => {
  const [table, name] = column.split('.')
  return { count, column, sql: `select ${name} as key from public.${table} where ${name} is not null` }
})

/** Every inline column. */
const INLINE_SQL = `
  select image_url as url from public.posts union all select thumbnail_url from public.posts
  union all select media_url from public.stories union all select thumbnail_url from public.stories
  union all select image_url from public.message_media union all select thumbnail_url from public.messages
  union all select avatar_url from public.profiles`

async function keysOf({ rows }: EmptyCommunity): Promise<string[]> {
  const found = await Promise.all(KEY_COLUMNS.map(({ sql }) => rows<{ key: string }>(sql)))
  return found.flat().map(({ key }) => key)
}

let community: EmptyCommunity

beforeAll(async () => {
  community = await openEmptyCommunity()
})
afterAll(() => community.close())

test('a first start that ends before the rows are written leaves files that the server removes', async () => {
  const { pg } = community.context
  const ended = new Error('killed')
  const seeding = seedDemo({
    ...community.context,
    pg: {
      query: (sql, parameters) => pg.query(sql, parameters),
      exec: (sql) => pg.exec(sql),
      transaction: () => Promise.reject(ended),
    },
  })
  await expect(seeding).rejects.toBe(ended)
  const files = await openObjectFiles(community.objectsFolder)
  expect((await files.list()).length).toBeGreaterThan(PHOTO_POSTS)
  expect(await objectsOf(community)).toEqual([])

  const copyTimes = () => Promise.resolve([])
  const sweep = createObjectSweep({ pg, exclusive: createQueue(), files, copyTimes })
  await sweep.sweep(() => false)
  expect(await files.list()).toEqual([])
  // The next start removes the unfinished database.
  await pg.exec('delete from auth.users')
})

describe('the demo community', () => {
  beforeAll(() => seedDemo(community.context))

  test('stores every picture and video as an object, and nothing inline', async () => {
    for (const { column, sql, count } of KEY_COLUMNS)
      expect(await community.rows(sql), column).toHaveLength(count)
    expect(await community.rows(`select from (${INLINE_SQL}) as inline where url is not null`)).toEqual([])
  })

  test('has exactly the objects to which its rows refer, and their files', async () => {
    const objects = await objectsOf(community)
    expect(objects.map(({ name }) => name).sort()).toEqual([...new Set(await keysOf(community))].sort())
    const files = await openObjectFiles(community.objectsFolder)
    expect((await files.list()).sort()).toEqual(objects.map(({ id }) => id).sort())
  })

  test('describes each object as an upload does', async () => {
    for (const { id, name, owner_id, metadata } of await objectsOf(community)) {
      const content = await readFile(join(community.objectsFolder, id))
      const [folder, file = ''] = name.split('/')
      expect(owner_id).toBe(folder)
      const kind = sniffMedia(content)
      expect(kind).toBe(file.split('.')[1])
      const mimetype = kind === 'webp' ? 'image/webp' : `video/${kind}`
      const picture = kind === 'webp' ? readDimensions(content, kind) : {}
      expect(metadata).toEqual({ size: content.length, mimetype, eTag: `"${id}"`, ...picture, checked: true })
    }
  })

  test('has the full, middle, feed and grid size of each photo and cover with the pixels of the row, and an alternative text', async () => {
    const ids = new Map((await objectsOf(community)).map(({ id, name }) => [name, id]))
    const size = async (key: string) =>
      readDimensions(await readFile(join(community.objectsFolder, ids.get(key) ?? '')), 'webp')
    const photos = await community.rows<{
      full_path: string
      middle_path: string | null
      feed_path: string
      grid_path: string
      width: number
      height: number
      alt_text: string
    }>('select * from public.post_media')
    for (const { full_path, middle_path, feed_path, grid_path, width, height, alt_text } of photos) {
      const expected = pictureSizes({ width, height })
      expect(await size(full_path)).toEqual(expected.full)
      expect(await size(middle_path ?? full_path)).toEqual(expected.middle)
      expect(await size(feed_path)).toEqual(expected.feed)
      expect(await size(grid_path)).toEqual(expected.grid)
      expect(alt_text).toMatch(/\S/)
    }
    const stories = await community.rows<{ poster_path: string; width: number; height: number }>(
      'select poster_path, media_width as width, media_height as height from public.stories',
    )
    for (const { poster_path, ...full } of stories)
      expect(await size(poster_path)).toEqual(pictureSizes(full).grid)
  })

  test('has a post with a video that has sound', async () => {
    const videos = await community.rows(
      `select position, duration_ms, has_sound, captions from public.post_media where kind = 'video'`,
    )
    expect(videos).toEqual([{ position: 0, duration_ms: 7_000, has_sound: true, captions: null }])
  })

  test('keeps all objects when the server removes unused ones days later', async () => {
    await community.context.pg.exec(`update storage.objects set created_at = now() - interval '40 days'`)
    const { rows } = await community.context.pg.query(
      `select name from private.examine_objects('', 1000) where is_unused`,
    )
    expect(rows).toEqual([])
  })
})
