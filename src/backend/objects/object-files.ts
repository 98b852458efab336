import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import { syncFolder } from '#/backend/storage/write-file-atomic'
import { REFUSALS } from './storage-error'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** `<id>.<milliseconds since 1970>`, the time of the deletion. */
const DELETED = /^(?<id>[0-9a-f-]{36})\.(?<at>\d{1,15})$/

/** A deleted file that is kept because a snapshot may refer to it. */
export interface DeletedFile {
  id: string
  path: string
  deletedAt: number
}

/**
 * The contents of objects, as files named by the id of their row, never by anything from a client. A file is complete before its row
 * exists: without the row, nobody can reach it.
 */
export interface ObjectFiles {
  /** Writes an upload to a temporary file. Throws a StorageError above `limit` bytes. */
  write(
    id: string,
    content: AsyncIterable<Uint8Array>,
    limit: number,
  ): Promise<{ path: string; size: number }>
  /**
   * Gives a complete file at `path` its final name, which survives a power failure, and inserts its row. If that fails, moves the
   * file back, unless the row may exist.
   */
  publish(id: string, path: string, insertRow: () => Promise<void>): Promise<void>
  /** Deletes the temporary file of an upload, if there still is one. */
  discard(id: string): Promise<void>
  /** The path of an object; null if the file is missing. */
  find(id: string): Promise<{ path: string; size: number } | null>
  /** Ids of all published files, except those whose row is being inserted. */
  list(): Promise<string[]>
  /** Deletes a file without a row, but keeps it aside if one of these times, in ms, is in its life. */
  remove(id: string, heldAt: readonly number[]): Promise<void>
  listDeleted(): Promise<DeletedFile[]>
  /** Moves a deleted file back. */
  restore(file: DeletedFile): Promise<void>
  /** Deletes a file for good, unless one of these times, in ms, is in its life. */
  purge(file: DeletedFile, heldAt: readonly number[]): Promise<void>
}

/** Opens the folder and deletes what interrupted uploads have left. */
export async function openObjectFiles(folder: string): Promise<ObjectFiles> {
  const uploads = join(folder, 'uploads')
  const deleted = join(folder, 'deleted')
  /** Published files whose row does not exist yet. */
  const pending = new Set<string>()
  // Earlier versions kept the parts of resumable uploads in `unfinished`.
  for (const path of [uploads, join(folder, 'unfinished')]) await rm(path, { recursive: true, force: true })
  for (const path of [uploads, deleted]) await mkdir(path, { recursive: true, mode: 0o700 })

  const pathOf = (id: string) => join(folder, id)

  return {
    write: async (id, content, limit) => {
      const path = join(uploads, id)
      const file = await open(path, 'wx', 0o600)
      let size = 0
      try {
        for await (const chunk of content) {
          size += chunk.byteLength
          if (size > limit) throw REFUSALS.tooLarge()
          for (let at = 0; at < chunk.byteLength; ) {
            at += (await file.write(chunk, at, chunk.byteLength - at)).bytesWritten
          }
        }
        await file.sync()
      } finally {
        await file.close()
      }
      return { path, size }
    },
    publish: async (id, path, insertRow) => {
      pending.add(id)
      try {
        await rename(path, pathOf(id))
        await syncFolder(folder)
        await insertRow().catch(async (error: unknown) => {
          // The row may have been inserted before the database ended. If not, the sweep deletes the file.
          if (!(error instanceof DatabaseEndedError)) await rename(pathOf(id), path)
          throw error
        })
      } finally {
        pending.delete(id)
      }
    },
    discard: (id) => rm(join(uploads, id), { force: true }),
    find: async (id) => {
      const stats = await statIfPresent(pathOf(id))
      return stats && { path: pathOf(id), size: stats.size }
    },
    list: async () => (await readdir(folder)).filter((name) => ID.test(name) && !pending.has(name)),
    remove: async (id, heldAt) => {
      const stats = await statIfPresent(pathOf(id))
      if (stats === null) return
      const now = Date.now()
      if (isHeld(stats.mtimeMs, now, heldAt)) await rename(pathOf(id), join(deleted, `${id}.${now}`))
      else await rm(pathOf(id), { force: true })
    },
    listDeleted: async () =>
      (await readdir(deleted)).flatMap((name) => {
        const { id, at } = DELETED.exec(name)?.groups ?? {}
        return id === undefined ? [] : [{ id, path: join(deleted, name), deletedAt: Number(at) }]
      }),
    restore: ({ id, path }) => rename(path, pathOf(id)),
    purge: async ({ path, deletedAt }, heldAt) => {
      const stats = await statIfPresent(path)
      if (stats !== null && !isHeld(stats.mtimeMs, deletedAt, heldAt)) await rm(path, { force: true })
    },
  }
}

/** File systems round times, some to two seconds. */
const ROUNDING_MS = 2_000

/** Whether a copy of the database from one of these times may contain the row of a file that existed in this period. */
function isHeld(from: number, to: number, heldAt: readonly number[]): boolean {
  return heldAt.some((at) => at >= from - ROUNDING_MS && at <= to + ROUNDING_MS)
}

async function statIfPresent(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
