import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { type DatabaseErrorFields, databaseErrorFields, type LastDatabaseError } from './database-error'
import { writeLimits } from './literal-limits'
import { mergeSettings } from './merge-settings'
import { prepareStatements } from './prepare-statements'

const OID = { timestamp: 1114, timestamptz: 1184 } as const

/** PGlite fills all of it with zeros at the start, so unused buffers take memory too. More is not faster here. */
const SHARED_BUFFERS = '16MB'

/** OIDs of the array types in use: bool, name, int2, int4, text, varchar, int8, oid, timestamptz, uuid, json and jsonb. */
const ARRAY_OIDS = [1000, 1003, 1005, 1007, 1009, 1015, 1016, 1028, 1185, 2951, 199, 3807]

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
  await connection.driver.waitReady
  dropUnusedTypes(connection.driver)
  prepareStatements(connection.driver)
  writeLimits(connection.driver)
  mergeSettings(connection.driver)
  return connection
}

/** PGlite copies its list of 316 array types for each statement, which takes 0.2 ms, half the time of a small statement. */
function dropUnusedTypes({ parsers, serializers }: PGlite): void {
  for (const [all, basic] of [
    [parsers, types.parsers],
    [serializers, types.serializers],
  ] as const) {
    const used = new Set([...Object.keys(basic), ...ARRAY_OIDS.map(String)])
    for (const oid of Object.keys(all)) if (!used.has(oid)) delete all[oid]
  }
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
