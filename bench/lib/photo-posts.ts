import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '#/backend/database/connection'
import type { Queries } from '#/backend/database/queries'
import { insertRows } from '#/backend/demo/insert-rows'
import { type DemoPhoto, readDemoManifest } from '#/backend/demo/pictures'
import { BUCKET } from '#/backend/objects/object-key'
import { openDataFolder } from '#/backend/storage/data-folder'
import type { TestServer } from '#tests/e2e/support/server'

export const ASSETS = 'resources/demo'

/** Minutes between two posts. */
const INTERVAL = 7

/** Posts that are inserted in one transaction. */
const BATCH = 500

/** The photos of the demo community's posts and stories, without videos. */
export async function demoPhotos(): Promise<DemoPhoto[]> {
  const pictures = Object.values(await readDemoManifest(ASSETS))
  return pictures.flatMap((picture) =>
    picture.use === 'avatar' || picture.durationMs !== undefined ? [] : [picture],
  )
}

/** The text of the n-th post of the feed, counted from 0. */
export const captionOf = (index: number, { alt }: DemoPhoto): string => `Number ${index + 1}. ${alt}`

/**
 * Inserts photo posts with their objects into a database, without triggers: 10,000 uploads would take minutes. All objects with
 * the same picture are links to one file.
 * @param objects the folder of the objects' files
 * @param range indexes in the feed, the newest post first
 */
export async function insertPhotoPosts(
  pg: Queries,
  objects: string,
  authors: readonly string[],
  range: { from: number; to: number },
): Promise<void> {
  const photos = await demoPhotos()
  await mkdir(objects, { recursive: true, mode: 0o700 })
  const files = new Map<string, { source: string; size: number }>()
  const fileOf = async (name: string) => {
    const known = files.get(name)
    if (known !== undefined) return known
    const source = join(objects, randomUUID())
    await copyFile(join(ASSETS, name), source)
    const added = { source, size: (await stat(source)).size }
    files.set(name, added)
    return added
  }
  const rows = { objects: [] as object[], posts: [] as object[], photos: [] as object[] }
  const store = async (owner: string, name: string): Promise<string> => {
    const { source, size } = await fileOf(name)
    const id = randomUUID()
    const key = `${owner}/${randomUUID()}.webp`
    await link(source, join(objects, id))
    const metadata = JSON.stringify({ size, mimetype: 'image/webp', eTag: `"${id}"` })
    rows.objects.push({ id, bucket_id: BUCKET, name: key, owner_id: owner, metadata })
    return key
  }
  const flush = async () => {
    await pg.exec(`begin; set local session_replication_role = replica`)
    await insertRows(pg, 'storage.objects', rows.objects.splice(0) as Record<string, unknown>[])
    await insertRows(pg, 'public.posts', rows.posts.splice(0) as Record<string, unknown>[])
    await insertRows(pg, 'public.post_media', rows.photos.splice(0) as Record<string, unknown>[])
    await pg.exec('commit')
  }
  const now = Date.now()
  for (let index = range.from; index < range.to; index += 1) {
    const photo = photos[index % photos.length]
    const user_id = authors[index % authors.length]
    if (photo === undefined || user_id === undefined) throw new Error('There are no photos or no authors')
    const id = randomUUID()
    const created_at = new Date(now - index * INTERVAL * 60_000).toISOString()
    rows.posts.push({ id, user_id, content: captionOf(index, photo), location: 'Lisbon', created_at })
    const full_path = await store(user_id, photo.file)
    const feed_path = await store(user_id, photo.file)
    const grid_path = await store(user_id, photo.grid)
    const { width, height, thumbhash, alt: alt_text } = photo
    const paths = { full_path, feed_path, grid_path }
    rows.photos.push({ user_id, post_id: id, position: 0, ...paths, width, height, thumbhash, alt_text })
    if (rows.posts.length === BATCH) await flush()
  }
  if (rows.posts.length > 0) await flush()
}

/** Restarts a server with photo posts of one member. */
export async function fillWithPhotoPosts(
  server: TestServer,
  author: string,
  range: { from: number; to: number },
): Promise<void> {
  await server.stop()
  const { database, objects } = await openDataFolder(server.dataFolder)
  const connection = await openDatabase(database)
  try {
    await insertPhotoPosts(connection.driver, objects, [author], range)
    await connection.driver.exec('analyze')
  } finally {
    await connection.close()
  }
  await server.restart()
}
