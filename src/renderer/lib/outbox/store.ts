import { keptStore } from '#/renderer/lib/indexed-db'
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
/** Messages of versions before the first release. */
const FORMER_DATABASE = 'vignette.outbox'

interface StoredRow extends OutboxRow {
  member: string
  server: string
}

/** Keeps the unsent rows of a member on a server in IndexedDB. */
export function indexedDbStore(member: string, server: string): OutboxStore {
  const owner = [member, server]
  const { read, write } = keptStore(DATABASE, ROWS, (database) => {
    database.createObjectStore(ROWS, { keyPath: 'id' }).createIndex('owner', ['member', 'server'])
    indexedDB.deleteDatabase(FORMER_DATABASE)
  })
  return {
    load: async () => {
      const stored: StoredRow[] = await read((rows) => rows.index('owner').getAll(owner))
      return stored.map(({ member: _member, server: _server, ...row }) => row)
    },
    save: (row) => write((rows) => rows.put({ ...row, member, server } satisfies StoredRow)),
    remove: (id) => write((rows) => rows.delete(id)),
    clear: () =>
      write((rows) => {
        const request = rows.index('owner').openCursor(owner)
        request.addEventListener('success', () => {
          request.result?.delete()
          request.result?.continue()
        })
      }),
  }
}
