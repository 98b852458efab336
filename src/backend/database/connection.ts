import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { type DatabaseErrorFields, fieldsOf, type LastDatabaseError } from './database-error'
import { mergeSettings } from './merge-settings'

const OID = { timestamp: 1114, timestamptz: 1184 } as const

/** PostgreSQL's default of 128 MB costs 160 MB of memory and makes nothing faster here. */
const SHARED_BUFFERS = '32MB'

/** Array types of parameters and results: bool, name, int2, int4, text, varchar, int8, oid, timestamptz, uuid, json and jsonb. */
const ARRAYS = [1000, 1003, 1005, 1007, 1009, 1015, 1016, 1028, 1185, 2951, 199, 3807]

/** `2026-01-01 00:00:00+00` as PostgREST and the JSON inside embeds write it: `2026-01-01T00:00:00+00:00`. */
export function isoTimestamptz(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

export interface OpenOptions {
  /** A gzipped dump to unpack into the (missing) folder, instead of PostgreSQL's own set-up. */
  content?: Blob
  /** PGlite's compiled WebAssembly (`compilePglite`); without it PGlite compiles its own. */
  wasmModule?: WebAssembly.Module
}

/**
 * How much a function of PostgreSQL runs, in bytes of its code, before V8 optimizes it. With V8's own 1.8 to 13 million a start spends a
 * third of its processor time on functions that hardly run again.
 */
const TIERING_BUDGET = 40_000_000

/** Compiles PGlite's WebAssembly, for threads to share: that takes longer than opening a database. */
export async function compilePglite(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(file))
}

/** Opens or makes PostgreSQL's files in `path`; rejects when they don't open. */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<PgliteConnection> {
  // What a statement that was ended had spilled to disk; PGlite leaves it there for ever.
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
  keepUsedTypes(connection.driver)
  mergeSettings(connection.driver)
  return connection
}

/**
 * PGlite knows an array type for each type and table, 316 of them, and copies all of that for each statement: 0.2 ms, half of the
 * time of a small one.
 */
function keepUsedTypes({ parsers, serializers }: PGlite): void {
  for (const [all, basic] of [
    [parsers, types.parsers],
    [serializers, types.serializers],
  ] as const) {
    const kept = new Set([...Object.keys(basic), ...ARRAYS.map(String)])
    for (const oid of Object.keys(all)) if (!kept.has(oid)) delete all[oid]
  }
}

/** Remembers the errors of `pg.query`, through which every request of lite goes. */
export function watchErrors(pg: PGlite): LastDatabaseError {
  let last: DatabaseErrorFields | null = null
  const query = pg.query.bind(pg)
  pg.query = async (...args) => {
    try {
      return await query(...args)
    } catch (error) {
      last = fieldsOf(error) ?? unfitParameter(error) ?? last
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

/**
 * PGlite itself refuses a parameter that does not fit its type, e.g. a list for a text or a number that is no time, without
 * an SQLSTATE.
 */
function unfitParameter(error: unknown): DatabaseErrorFields | null {
  if (!(error instanceof Error)) return null
  const { message } = error
  if (/^Invalid input for \w+ type$/.test(message)) return refusal('22P02', message)
  // What Date says, as which PGlite reads numbers.
  if (error instanceof RangeError && message === 'Invalid time value') return refusal('22008', message)
  return null
}

function refusal(code: string, message: string): DatabaseErrorFields {
  return { code, message, detail: null, hint: null }
}

/** The major version of PostgreSQL that wrote a folder, or null where there is none. */
export async function dataVersion(path: string): Promise<string | null> {
  const text = await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => null)
  return text?.trim() ?? null
}
