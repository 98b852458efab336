import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Queries } from '#/backend/database/queries'
import { checkBytes } from '#/backend/objects/check-content'
import { BUCKET, type ObjectKey, parseObjectKey } from '#/backend/objects/object-key'
import { objectMetadata } from '#/backend/objects/object-metadata'
import { syncFolder } from '#/backend/storage/write-file-atomic'
import { insertRows, type Row } from './insert-rows'
import type { DemoAvatar, DemoPhoto } from './pictures'

/** Files that are copied at the same time. */
const CONCURRENT = 8

type Sizes = Pick<DemoPhoto, 'file' | 'middle' | 'feed' | 'grid'>

interface StoredFile {
  /** Of the object. */
  id: string
  key: ObjectKey
  owner: string
  /** Name in the demo's folder. */
  file: string
}

/** Stores the demo's pictures and videos for its rows. Each function returns the columns that refer to them. */
export interface StoredMedia {
  avatar(owner: string, picture: DemoAvatar): Row
  /** The rows of post_media. */
  post(post: { id: string; user_id: string }, pictures: readonly DemoPhoto[]): Row[]
  story(owner: string, picture: DemoPhoto): Row
  /** The row of message_media. */
  message(sender: string, picture: DemoPhoto): Row
  /** Copies the files of all objects so that they survive a power failure. Call before `insertObjects`. */
  copyFiles(): Promise<void>
  /** Inserts the rows of the objects. Call before the rows that refer to them. */
  insertObjects(tx: Queries): Promise<void>
}

/** Stores pictures and videos as objects, as members' own are stored; see src/backend/objects. */
export function createStoredMedia(assetsDir: string, objectsFolder: string): StoredMedia {
  const stored: StoredFile[] = []
  const rows: Row[] = []

  /** Returns the key of a new object. */
  const store = (owner: string, file: string): string => {
    const name = `${owner}/${randomUUID()}${extname(file)}`
    const key = parseObjectKey(name)
    if (key === null) throw new Error(`The demo community has a file of no stored type: ${file}`)
    stored.push({ id: randomUUID(), key, owner, file })
    return name
  }
  /** The keys of a picture's sizes: one object for sizes that are the same file. */
  const storeSizes = (owner: string, { file, middle, feed = file, grid }: Sizes) => {
    const keys = new Map<string, string>()
    const keyOf = (name: string) => {
      const key = keys.get(name) ?? store(owner, name)
      keys.set(name, key)
      return key
    }
    return {
      full_path: keyOf(file),
      middle_path: middle === undefined ? null : keyOf(middle),
      feed_path: keyOf(feed),
      grid_path: keyOf(grid),
    }
  }
  /** The keys of a picture or video, and of its small picture. */
  const storeShown = (owner: string, { file, grid }: Sizes) => {
    const { full_path, grid_path } = storeSizes(owner, { file, grid })
    return { media_path: full_path, poster_path: grid_path }
  }
  const copyFile = async ({ id, key, owner, file }: StoredFile) => {
    const content = await readFile(join(assetsDir, file))
    await writeFile(join(objectsFolder, id), content, { flag: 'wx', mode: 0o600, flush: true })
    const metadata = objectMetadata({ id, size: content.byteLength }, key, checkBytes(content, key))
    rows.push({ id, bucket_id: BUCKET, name: key.name, owner_id: owner, metadata })
  }

  return {
    avatar: (owner, { file }) => ({ avatar_path: store(owner, file) }),
    post: ({ id, user_id }, pictures) =>
      pictures.map((picture, position) => {
        const { file, grid, width, height, thumbhash, alt, durationMs: duration_ms = null } = picture
        const isVideo = duration_ms !== null
        const paths = storeSizes(user_id, isVideo ? { file: grid, grid } : picture)
        const video = {
          kind: isVideo ? 'video' : 'photo',
          media_path: isVideo ? store(user_id, file) : null,
          duration_ms,
          has_sound: isVideo || null,
        }
        return { post_id: id, user_id, position, ...paths, ...video, width, height, thumbhash, alt_text: alt }
      }),
    story: (owner, picture) => ({ ...storeShown(owner, picture), thumbhash: picture.thumbhash }),
    message: storeShown,
    copyFiles: async () => {
      await mkdir(objectsFolder, { recursive: true, mode: 0o700 })
      const remaining = stored.values()
      const copyRemaining = async () => {
        for (const file of remaining) await copyFile(file)
      }
      await Promise.all(Array.from({ length: CONCURRENT }, copyRemaining))
      await syncFolder(objectsFolder)
    },
    insertObjects: (tx) => insertRows(tx, 'storage.objects', rows),
  }
}
