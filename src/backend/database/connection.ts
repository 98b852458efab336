import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { type DatabaseErrorFields, databaseErrorFields, type LastDatabaseError } from './database-error'

const OID = { timestamp: 1114, timestamptz: 1184 } as const

/** PGlite fills all of it with zeros at the start, so unused buffers take memory too. More is not faster here. */
const SHARED_BUFFERS = '16MB'

/** Turns `2026-01-01 00:00:00+00` into PostgREST's format, `2026-01-01T00:00:00+00:00`. */
export function isoTimestamptz(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

export interface OpenOptions {
  /** The dump for a database in memory (`memory://`), instead of running initdb. */
  content?: Blob
  /** Result of `compilePglite`; without it PGlite compiles the module again. */
  wasmModule?: WebAssembly.Module
}

/** Opens or creates a database in the folder `path`. */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<PgliteConnection> {
  // PGlite does not delete the temporary files of interrupted statements.
  await rm(join(path, 'base/pgsql_tmp'), { recursive: true, force: true })
  const connection = await createPgliteConnection({
    url: path,
    pgliteOptions: {
      extensions: { pg_trgm },
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
      parsers: {
        [OID.timestamptz]: isoTimestamptz,
        [OID.timestamp]: (text: string) => text.replace(' ', 'T'),
      },
      ...(options.content === undefined ? {} : { loadDataDir: options.content }),
      ...(options.wasmModule === undefined ? {} : { pgliteWasmModule: options.wasmModule }),
    },
  })
  const { driver } = connection
  await driver.waitReady
  // PGlite copies its parsers for each result. Most are for arrays of the rows of a table, which no answer has.
  const { rows } = await driver.query<{ typarray: number }>(
    "select typarray from pg_type where typtype = 'c'",
  )
  for (const { typarray } of rows) delete driver.parsers[typarray]
  // It sends a value for an array that is none as it is: the message has another length than it says, and the database ends.
  for (const [oid, serialize] of Object.entries(driver.serializers))
    driver.serializers[oid] = (value) => {
      const text: unknown = serialize(value)
      if (typeof text === 'string') return text
      throw new Error('Invalid input for array type')
    }
  return connection
}

/** Records the last error of `pg.query`, which lite uses for every request. */
export function recordErrors(pg: PGlite): LastDatabaseError {
  let last: DatabaseErrorFields | null = null
  const query = pg.query.bind(pg)
  pg.query = async (...args) => {
    try {
      return await query(...args)
    } catch (error) {
      last = databaseErrorFields(error) ?? parameterError(error) ?? last
      throw error
    }
  }
  return {
    take: () => {
      const taken = last
      last = null
      return taken
    },
  }
}

/** PGlite rejects parameters of the wrong type itself, without an SQLSTATE, e.g. an array for a text. */
function parameterError(error: unknown): DatabaseErrorFields | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  const fields = (code: string) => ({ code, message, detail: null, hint: null })
  if (/^Invalid input for \w+ type$/.test(message)) return fields('22P02')
  // PGlite converts numbers to Date, which throws this.
  if (error instanceof RangeError && message === 'Invalid time value') return fields('22008')
  return null
}

/** The major version of PostgreSQL that created a folder; null if the folder has no database. */
export async function dataVersion(path: string): Promise<string | null> {
  const text = await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => null)
  return text?.trim() ?? null
}
