import type { DBSchema } from 'idb'
import { logFailure } from '#/renderer/lib/core/logger'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
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

interface PendingSchema extends DBSchema {
  [ROWS]: { key: string; value: StoredRow; indexes: { owner: [member: string, server: string] } }
}

/** Keeps the unsent rows of a member on a server in IndexedDB; in memory while it cannot be opened. */
export function indexedDbStore(member: string, server: string): OutboxStore {
  const { database, isOpen, write } = storedObjects<PendingSchema, typeof ROWS>(DATABASE, ROWS, (created) => {
    created.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('owner', ['member', 'server'])
  })
  const memory = new Map<string, OutboxRow>()
  const storedIds = async () => (await database()).getAllKeysFromIndex(ROWS, 'owner', [member, server])
  const read = async (id: string): Promise<OutboxRow[]> => {
    try {
      const stored = await (await database()).get(ROWS, id)
      if (stored === undefined) return []
      const { member: _member, server: _server, ...row } = stored
      return [row]
    } catch (cause) {
      // Of a row whose files are lost only the id can be read. It must not hide the others.
      logFailure('read outbox row', cause)
      return [{ id } as OutboxRow]
    }
  }
  return {
    load: async () => {
      const ids = (await isOpen()) ? await storedIds() : []
      const stored = await Promise.all(ids.filter((id) => !memory.has(id)).map(read))
      return [...stored.flat(), ...memory.values()]
    },
    save: async (row) => {
      if (!(await isOpen())) return void memory.set(row.id, row)
      await write((rows) => rows.put({ ...row, member, server }))
      memory.delete(row.id)
    },
    remove: async (id) => {
      memory.delete(id)
      if (await isOpen()) await write((rows) => rows.delete(id))
    },
    clear: async () => {
      memory.clear()
      if (!(await isOpen())) return
      const ids = await storedIds()
      await write((rows) => Promise.all(ids.map((id) => rows.delete(id))))
    },
  }
}
