import type { Connection } from '@supabase/lite'
import { createPostgresConnection, type PostgresConnection } from '@supabase/lite/postgres'
import postgres from 'postgres'
import { createQueue } from '#/backend/base/queue'
import { recordErrors } from '#/backend/database/connection'
import { databaseErrorFields, type LastDatabaseError } from '#/backend/database/database-error'
import { createLiteApp } from '#/backend/database/lite-app'
import { readMigrations } from '#/backend/database/migrations'
import type { ComputeHash } from '#/backend/database/password-hashes'
import { computeHash } from '#/backend/database/password-hashes'
import { SETUP_SQL } from '#/backend/database/setup'
import { createSupabaseHandler } from '#/backend/http/supabase-handler'
import { checkQuery } from '#/backend/rest/check-query'
import { type ReadRestCall, readRestCall } from '#/backend/rest/rest-request'
import { migrationsFolder } from '#/backend/start/paths'
import { randomSecret } from '#/backend/storage/secrets'
import { type PostgresServer, startPostgres } from '#tests/backend/support/postgres-server'
import { openMigrated } from '#tests/backend/support/prepared'
import { asQuery, type Query } from '#tests/statement'
import { callerOf } from './caller'

export type ServerKind = 'pglite' | 'postgres'

export type Row = Record<string, unknown>

/** A migrated Supabase in this process without a port; supabase-js uses its `fetch`. */
export interface TestServer {
  url: string
  publishableKey: string
  fetch: typeof fetch
  /** Runs a statement as the database owner, without row security. */
  query: Query
  /** Runs statements as the database owner in one transaction and returns the rows of the last one. */
  exec(sql: string): Promise<Row[]>
  close(): Promise<void>
}

/** A statement that is sent to the database. */
export interface Statement {
  sql: string
  parameters: unknown[]
}

/** A database that lite can serve, and that the test can also access directly. */
interface Database {
  connection: Connection
  errors: LastDatabaseError
  /** Whether all migrations have been applied. */
  isMigrated: boolean
  exec(sql: string): Promise<Row[]>
  query(sql: string, parameters: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

async function openPglite(): Promise<Database> {
  const connection = await openMigrated()
  const { driver } = connection
  return {
    connection,
    errors: recordErrors(driver),
    isMigrated: true,
    exec: async (sql) => (await driver.exec(sql)).at(-1)?.rows ?? [],
    query: async (sql, parameters) => (await driver.query<Row>(sql, parameters)).rows,
    close: () => connection.close(),
  }
}

/** Like PGlite's: lite serializes arguments of functions itself, and its PostgreSQL driver would do it a second time. */
const SERIALIZED_JSONB = {
  to: 3802,
  from: [3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
}

export async function openPostgres(
  server: PostgresServer,
  onStatement: (statement: Statement) => void = () => undefined,
): Promise<Database> {
  const quiet = { onnotice: () => undefined }
  const connection = createPostgresConnection({
    url: server.url,
    postgresOptions: { ...quiet, types: { jsonb: SERIALIZED_JSONB } },
  })
  const owner = postgres(server.url, { ...quiet, max: 1 })
  return {
    connection,
    errors: watchPostgres(connection, onStatement),
    isMigrated: false,
    async exec(sql) {
      const answers = await owner.unsafe<(Row | Row[])[]>(sql)
      const last = answers.at(-1)
      return Array.isArray(last) ? last : (answers as Row[])
    },
    query: async (sql, parameters) => owner.unsafe<Row[]>(sql, parameters as never[]),
    async close() {
      // The timeout also ends a statement that waits for a lock after a failed test.
      await Promise.all([owner, connection.driver].map((sql) => sql.end({ timeout: 5 })))
      await server.stop()
    },
  }
}

/**
 * The equivalent of the backend's `recordErrors` for PostgreSQL, where lite uses one session per transaction. Calls `onStatement` for
 * every statement.
 */
function watchPostgres(
  { driver }: PostgresConnection,
  onStatement: (statement: Statement) => void,
): LastDatabaseError {
  let last: ReturnType<LastDatabaseError['take']> = null
  const reserve = driver.reserve.bind(driver)
  driver.reserve = async () => {
    const session = await reserve()
    const unsafe = session.unsafe.bind(session)
    const watched = (...query: Parameters<typeof unsafe>) => {
      onStatement({ sql: query[0], parameters: [...(query[1] ?? [])] })
      const pending = unsafe(...query)
      pending.catch((error: unknown) => {
        last = databaseErrorFields(error) ?? last
      })
      return pending
    }
    Object.assign(session, { unsafe: watched })
    return session
  }
  return {
    take: () => {
      const taken = last
      last = null
      return taken
    },
  }
}

/** Checks REST requests before and after lite parses them. */
export interface RestGate {
  readRest: ReadRestCall
  check: typeof checkQuery
}

/** Accepts every request like a hosted project, so that only the database can reject it. */
export const OPEN_GATE: RestGate = {
  readRest: (request, url, body) =>
    new Request(url, { method: request.method, headers: request.headers, ...(body !== null && { body }) }),
  check: (query) => query,
}

/**
 * Sets up Supabase and all migrations on an empty database, behind the backend's handler. By default it accepts every REST request, because
 * the rights must not depend on other checks.
 */
export async function startServer(
  kind: ServerKind,
  compute?: ComputeHash,
  gate: RestGate = OPEN_GATE,
): Promise<TestServer> {
  const database = await (kind === 'pglite' ? openPglite() : openPostgres(await startPostgres()))
  try {
    return await serve(database, gate, compute)
  } catch (error) {
    // Vitest ends its workers without an `exit` event, so PostgreSQL would keep running.
    await database.close()
    throw error
  }
}

/** Sets up Supabase on an empty database, like `startServer`. Password hashes are computed in this thread by default. */
export async function serve(
  database: Database,
  { readRest, check }: RestGate = { readRest: readRestCall, check: checkQuery },
  compute: ComputeHash = async (task) => computeHash(task),
): Promise<TestServer> {
  const secrets = {
    jwtSecret: randomSecret(48),
    publishableKey: `sb_publishable_${randomSecret(24)}`,
    secretKey: `sb_secret_${randomSecret(24)}`,
    demo: [],
  }
  const url = 'http://127.0.0.1'
  const email = { send: async () => undefined }
  const lite = createLiteApp(database.connection, { secrets, email, siteUrl: url, check })
  if (!database.isMigrated) {
    await lite.ensureSystemSchema()
    await database.exec(SETUP_SQL)
    for (const { sql } of await readMigrations(migrationsFolder())) await database.exec(sql)
  }
  await database.connection.clearSchemaCache()

  const exclusive = createQueue()
  const answer = createSupabaseHandler({
    fetch: lite.fetch,
    errors: database.errors,
    query: (sql, parameters) => database.query(sql, parameters),
    computeHash: compute,
    sendMail: async () => undefined,
    exclusive,
    onWrite: () => undefined,
    readRest,
  })
  return {
    url,
    publishableKey: secrets.publishableKey,
    fetch: (input, init) => answer(new Request(input, init), callerOf()),
    query: asQuery((sql, parameters) => exclusive(() => database.query(sql, parameters))),
    exec: (sql) => exclusive(() => database.exec(sql)),
    close: () => database.close(),
  }
}
