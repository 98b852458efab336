import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { App, type Connection } from '@supabase/lite'
import { createPgliteConnection } from '@supabase/lite/pglite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import postgres from 'postgres'
import { startPostgres } from '#tests/backend/support/postgres-server'

export type ServerKind = 'pglite' | 'postgres'

export type Row = Record<string, unknown>

/** A migrated Supabase in this process, without a port: supabase-js gets `fetch`. */
export interface TestServer {
  url: string
  publishableKey: string
  jwtSecret: string
  fetch: typeof fetch
  /** Runs one statement as the database's owner, past row security. */
  query(sql: string, parameters?: unknown[]): Promise<Row[]>
  /** Runs any number of statements as the database's owner: PostgreSQL makes one transaction of them. */
  exec(sql: string): Promise<void>
  close(): Promise<void>
}

interface Database {
  connection: Connection
  exec(sql: string): Promise<unknown>
  query(sql: string, parameters: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../../../supabase/migrations')

/** What a hosted project has before its first migration. */
const BOOTSTRAP = `
  do $$ declare role text; begin
    foreach role in array array['anon', 'authenticated', 'service_role'] loop
      if not exists (select from pg_roles where rolname = role) then
        execute format('create role %I nologin noinherit', role);
      end if;
    end loop;
  end $$;
  alter role service_role bypassrls;
  grant usage on schema auth, public to anon, authenticated, service_role;
  create publication supabase_realtime;
`

async function openPglite(): Promise<Database> {
  const connection = await createPgliteConnection({ pgliteOptions: { extensions: { pg_trgm } } })
  const { driver } = connection
  return {
    connection,
    exec: (sql) => driver.exec(sql),
    query: async (sql, parameters) => (await driver.query<Row>(sql, parameters)).rows,
    close: () => connection.close(),
  }
}

async function openPostgres(): Promise<Database> {
  const server = await startPostgres()
  const connection = createPostgresConnection({
    url: server.url,
    postgresOptions: { onnotice: () => undefined },
  })
  const owner = postgres(server.url, { max: 1, onnotice: () => undefined })
  return {
    connection,
    exec: (sql) => owner.unsafe(sql),
    query: async (sql, parameters) => owner.unsafe<Row[]>(sql, parameters as never[]),
    async close() {
      await owner.end()
      await connection.close()
      await server.stop()
    },
  }
}

/** Boots an embedded Supabase on an empty database with all migrations applied. */
export async function startServer(kind: ServerKind): Promise<TestServer> {
  const database = await (kind === 'pglite' ? openPglite() : openPostgres())
  const publishableKey = `sb_publishable_${randomBytes(12).toString('hex')}`
  const jwtSecret = randomBytes(32).toString('hex')
  const app = new App({
    connection: database.connection,
    auth: {
      enabled: true,
      jwt_secret: jwtSecret,
      email: { enable_confirmations: false },
      publishable_key: publishableKey,
      secret_key: `sb_secret_${randomBytes(12).toString('hex')}`,
    },
  })
  await app.ensureSystemSchema()
  await database.exec(BOOTSTRAP)
  Object.assign(database.connection, { rlsState: 'active' })
  for (const file of (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()) {
    await database.exec(await readFile(join(MIGRATIONS, file), 'utf8'))
  }
  await database.connection.clearSchemaCache()

  let tail: Promise<unknown> = Promise.resolve()
  function alone<T>(task: () => Promise<T>): Promise<T> {
    const result = tail.then(task)
    tail = result.catch(() => undefined)
    return result
  }
  return {
    url: 'http://127.0.0.1',
    publishableKey,
    jwtSecret,
    fetch: (input, init) => alone(async () => app.fetch(new Request(input, init))),
    query: (sql, parameters = []) => alone(() => database.query(sql, parameters)),
    exec: (sql) => alone(async () => void (await database.exec(sql))),
    close: () => database.close(),
  }
}
