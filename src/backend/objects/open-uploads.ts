import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeFileAtomic } from '#/backend/storage/write-file-atomic'
import { type ObjectKey, parseObjectKey } from './object-key'
import { REFUSALS } from './storage-error'

/** An unfinished upload expires after this time, as on a hosted project. */
const LIFE_MS = 24 * 3_600_000

/** Unfinished uploads of one member. Each takes two files, and the app sends one at a time. */
const MOST = 20

/** A resumable upload that is not complete. */
export interface OpenUpload {
  /** The last part of its URL; becomes the id of the object. */
  readonly id: string
  readonly key: ObjectKey
  /** Bytes of the whole file. */
  readonly length: number
  /** Bytes received. They survive a power failure. */
  readonly offset: number
  /** In ms since 1970. */
  readonly expiresAt: number
  /** The client's own Upload-Metadata, which HEAD returns. */
  readonly metadata: string
}

/**
 * Unfinished resumable uploads, each as a file with its bytes and one that describes it. They survive a restart. An upload belongs to
 * the member in whose folder its key is.
 */
export interface OpenUploads {
  /** Bytes that the open uploads of a member will have. */
  bytesOf(member: string): number
  /** Opens an upload. Throws a StorageError if the member has too many. */
  create(upload: Pick<OpenUpload, 'key' | 'length' | 'metadata'>): Promise<OpenUpload>
  /** The upload as it is now; null if it does not exist, has expired or belongs to another member. */
  find(member: string, id: string): OpenUpload | null
  /**
   * Runs one request of an upload at a time. A newer request ends the reading of the one before, whose client has lost its connection:
   * its signal is aborted.
   */
  inTurn<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Writes what follows the offset. Keeps what has arrived if the chunks end with an error, which it throws. Resolves with the offset
   * after them. The last byte is not counted before the upload is closed, so that completing it can be repeated.
   */
  append(upload: OpenUpload, chunks: AsyncIterable<Uint8Array>): Promise<number>
  pathOf(upload: OpenUpload): string
  /** Forgets an upload, and deletes its files if it still has them. */
  close(upload: OpenUpload): Promise<void>
  /** The members with open uploads. */
  members(): string[]
  /** Deletes the uploads that have expired, and those of members for which `isGone` is true. */
  removeExpired(isGone: (member: string) => boolean): Promise<void>
}

const descriptionSchema = z.strictObject({
  name: z.string(),
  length: z.number().int(),
  offset: z.number().int(),
  expiresAt: z.number(),
  metadata: z.string(),
})

const DESCRIPTION = /^([0-9a-f-]{36})\.json$/

/** Opens the folder, and deletes what is not the whole of an upload. */
export async function openUploads(folder: string, now: () => number = Date.now): Promise<OpenUploads> {
  const uploads = new Map<string, OpenUpload>()
  /** The newest request of each upload. */
  const turns = new Map<string, { controller: AbortController; ended: Promise<unknown> }>()

  const pathOf = (id: string) => join(folder, id)
  const descriptionOf = (id: string) => join(folder, `${id}.json`)
  const save = async (upload: OpenUpload) => {
    const { key, length, offset, expiresAt, metadata } = upload
    await writeFileAtomic(
      descriptionOf(upload.id),
      JSON.stringify({ name: key.name, length, offset, expiresAt, metadata }),
    )
    uploads.set(upload.id, upload)
  }
  const close = async ({ id }: Pick<OpenUpload, 'id'>) => {
    uploads.delete(id)
    await rm(descriptionOf(id), { force: true })
    await rm(pathOf(id), { force: true })
  }
  const inTurn: OpenUploads['inTurn'] = (id, work) => {
    const before = turns.get(id)
    before?.controller.abort()
    const controller = new AbortController()
    const result = (before?.ended ?? Promise.resolve()).then(() => work(controller.signal))
    const forget = () => {
      if (turns.get(id) === turn) turns.delete(id)
    }
    const turn = { controller, ended: result.then(forget, forget) }
    turns.set(id, turn)
    return result
  }
  const ofMember = (member: string) => [...uploads.values()].filter(({ key }) => key.owner === member)

  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const id = DESCRIPTION.exec(name)?.[1]
    const upload = id === undefined ? null : await readUpload(id, descriptionOf(id), pathOf(id))
    if (upload !== null) uploads.set(upload.id, upload)
  }
  const known = new Set([...uploads.keys()].flatMap((id) => [id, `${id}.json`]))
  for (const name of await readdir(folder))
    if (!known.has(name)) await rm(join(folder, name), { force: true })

  return {
    bytesOf: (member) => ofMember(member).reduce((bytes, { length }) => bytes + length, 0),
    create: async ({ key, length, metadata }) => {
      if (ofMember(key.owner).length >= MOST) throw REFUSALS.tooManyUploads()
      const upload = { id: randomUUID(), key, length, offset: 0, expiresAt: now() + LIFE_MS, metadata }
      // Counts from now on: several may be created at the same time.
      uploads.set(upload.id, upload)
      try {
        await (await open(pathOf(upload.id), 'wx', 0o600)).close()
        await save(upload)
      } catch (error) {
        await close(upload)
        throw error
      }
      return upload
    },
    find: (member, id) => {
      const upload = uploads.get(id)
      return upload !== undefined && upload.key.owner === member && upload.expiresAt > now() ? upload : null
    },
    inTurn,
    append: async (upload, chunks) => {
      let { offset } = upload
      const file = await open(pathOf(upload.id), 'r+')
      try {
        for await (const chunk of chunks) {
          if (offset + chunk.byteLength > upload.length) throw REFUSALS.tooLarge()
          for (let at = 0; at < chunk.byteLength; ) {
            const { bytesWritten } = await file.write(chunk, at, chunk.byteLength - at, offset)
            at += bytesWritten
            offset += bytesWritten
          }
        }
      } finally {
        try {
          await file.sync()
        } finally {
          await file.close()
        }
        const kept = Math.min(offset, upload.length - 1)
        if (kept > upload.offset) await save({ ...upload, offset: kept })
      }
      return offset
    },
    pathOf: ({ id }) => pathOf(id),
    close,
    members: () => [...new Set([...uploads.values()].map(({ key }) => key.owner))],
    removeExpired: async (isGone) => {
      for (const upload of [...uploads.values()])
        if (upload.expiresAt <= now() || isGone(upload.key.owner))
          await inTurn(upload.id, () => close(upload))
    },
  }
}

/** Null if it is not a whole upload, for example after a full disk. */
async function readUpload(id: string, description: string, path: string): Promise<OpenUpload | null> {
  try {
    const { name, ...read } = descriptionSchema.parse(JSON.parse(await readFile(description, 'utf8')))
    const key = parseObjectKey(name)
    if (key === null || (await stat(path)).size < read.offset) return null
    return { id, key, ...read }
  } catch {
    return null
  }
}
