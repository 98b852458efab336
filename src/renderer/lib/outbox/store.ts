import type { DBSchema } from 'idb'
import { storedObjects } from '#/renderer/lib/indexed-db'
import type { OutboxRow } from './row'

/** Where unsent rows are kept between runs. */
export interface OutboxStore {
  /** All rows of this owner, in any order. */
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

/** Keeps the unsent rows of a member on a server in IndexedDB. */
export function indexedDbStore(member: string, server: string): OutboxStore {
  const { database, write } = storedObjects<PendingSchema, typeof ROWS>(DATABASE, ROWS, (created) => {
    created.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('owner', ['member', 'server'])
  })
  return {
    load: async () => {
      const stored = await (await database()).getAllFromIndex(ROWS, 'owner', [member, server])
      return stored.map(({ member: _member, server: _server, ...row }) => row)
    },
    save: (row) => write((rows) => rows.put({ ...row, member, server })),
    remove: (id) => write((rows) => rows.delete(id)),
    clear: () =>
      write(async (rows) => {
        const ids = await rows.index('owner').getAllKeys([member, server])
        await Promise.all(ids.map((id) => rows.delete(id)))
      }),
  }
}
