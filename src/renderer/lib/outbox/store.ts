import type { DBSchema } from 'idb'
import { logFailure } from '#/renderer/lib/core/logger'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { isRecord } from '#/renderer/lib/local/local-storage'
import type { OutboxRow } from './row'

/** Where unsent rows are kept between runs. */
export interface OutboxStore {
  /** All rows of this owner, in any order. Another build of the app may have written them. */
  load(): Promise<OutboxRow[]>
  save(row: OutboxRow): Promise<void>
  remove(id: string): Promise<void>
  /** Removes all rows of this owner. */
  clear(): Promise<void>
}

const DATABASE = 'vignette.pending'
const ROWS = 'rows'

interface StoredRow extends OutboxRow {
  member: string
  server: string
}

/**
 * How far a stored row has come. It is stored beside the row, because the browser copies the files of a row each time the row is stored:
 * those of a post with videos may have 2 GB. It has no owner, so it is not in the index: no build takes it for a row.
 */
interface StoredProgress extends Pick<OutboxRow, 'createdAt'> {
  id: string
  progress: Pick<OutboxRow, 'state' | 'reason' | 'failures' | 'uploads' | 'started'>
}

interface PendingSchema extends DBSchema {
  [ROWS]: {
    key: string
    value: StoredRow | StoredProgress
    indexes: { owner: [member: string, server: string] }
  }
}

const progressKey = (id: string) => `${id} progress`

function progressOf(row: OutboxRow): StoredProgress {
  const { id, scope: _scope, kind: _kind, payload: _payload, createdAt, ...progress } = row
  return { id: progressKey(id), createdAt, progress }
}

/** @param stored may be of an earlier row with this id */
function withProgress(row: OutboxRow, stored: StoredProgress | undefined): OutboxRow {
  if (stored?.createdAt !== row.createdAt) return row
  const { id, scope, kind, payload, createdAt } = row
  return { id, scope, kind, payload, createdAt, ...stored.progress }
}

/** Keeps the unsent rows of a member on a server in IndexedDB; in memory while it cannot be opened. */
export function indexedDbStore(member: string, server: string): OutboxStore {
  const { database, isOpen, write } = storedObjects<PendingSchema, typeof ROWS>(DATABASE, ROWS, (created) => {
    created.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('owner', ['member', 'server'])
  })
  const memory = new Map<string, OutboxRow>()
  /** Payloads as they are on disk. */
  const written = new WeakSet<object>()
  const isWritten = ({ payload }: OutboxRow) => isRecord(payload) && written.has(payload)
  const markWritten = ({ payload }: OutboxRow) => isRecord(payload) && written.add(payload)

  const storedIds = async () => (await database()).getAllKeysFromIndex(ROWS, 'owner', [member, server])
  const read = async (id: string): Promise<OutboxRow[]> => {
    try {
      const opened = await database()
      const [stored, progress] = await Promise.all([opened.get(ROWS, id), opened.get(ROWS, progressKey(id))])
      if (stored === undefined) return []
      const { member: _member, server: _server, ...row } = stored as StoredRow
      markWritten(row)
      return [withProgress(row, progress as StoredProgress | undefined)]
    } catch (cause) {
      // Of a row whose files are lost only the id can be read. It must not hide the others.
      logFailure('read outbox row', cause)
      return [{ id } as OutboxRow]
    }
  }
  const removed = (id: string) => [id, progressKey(id)]
  return {
    load: async () => {
      const ids = (await isOpen()) ? await storedIds() : []
      const stored = await Promise.all(ids.filter((id) => !memory.has(id)).map(read))
      return [...stored.flat(), ...memory.values()]
    },
    save: async (row) => {
      if (!(await isOpen())) return void memory.set(row.id, row)
      await write(async (rows) => {
        // Another window may have removed it.
        if (isWritten(row) && (await rows.getKey(row.id)) !== undefined) return rows.put(progressOf(row))
        return Promise.all([rows.put({ ...row, member, server }), rows.delete(progressKey(row.id))])
      })
      markWritten(row)
      memory.delete(row.id)
    },
    remove: async (id) => {
      memory.delete(id)
      if (await isOpen()) await write((rows) => Promise.all(removed(id).map((key) => rows.delete(key))))
    },
    clear: async () => {
      memory.clear()
      if (!(await isOpen())) return
      const keys = (await storedIds()).flatMap(removed)
      await write((rows) => Promise.all(keys.map((key) => rows.delete(key))))
    },
  }
}
