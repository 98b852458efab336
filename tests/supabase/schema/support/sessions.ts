import { randomUUID } from 'node:crypto'
import { App } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import postgres from 'postgres'
import { expect, onTestFinished, vi } from 'vitest'
import { readMigrations, readReplaced } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { startPostgres } from '#tests/backend/support/postgres-server'
import { gate } from '#tests/gate'
import { claimsOf, LIFT_QUOTAS } from './community'
import { MIGRATIONS } from './migrated-database'

export type Tx = postgres.TransactionSql

/** A separate migrated PostgreSQL for concurrent transactions, which PGlite's single session does not support. */
export interface Sessions {
  sql: postgres.Sql
  join(username: string): Promise<string>
  /** Runs `work` in a transaction as a member, with row security. */
  as<T>(member: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Waits until at least this many sessions wait for a lock. */
  waitUntilBlocked(sessions: number): Promise<void>
  /** Cleans up what is removed until nothing is left that is free. */
  workOff(): Promise<void>
  close(): Promise<void>
}

/** @param before opens the schema of 0.1 before this version */
export async function openSessions(before?: string): Promise<Sessions> {
  const server = await startPostgres()
  const sql = postgres(server.url, { max: 12, onnotice: () => undefined })
  async function close() {
    // The timeout also ends a query that waits for a lock after a failed test.
    await sql.end({ timeout: 1 })
    await server.stop()
  }
  try {
    await setUp(server.url, sql)
    const migrations =
      before === undefined
        ? await readMigrations(MIGRATIONS)
        : (await readReplaced(MIGRATIONS)).filter(({ version }) => version < before)
    for (const migration of migrations) await sql.unsafe(migration.sql)
    await sql.unsafe(LIFT_QUOTAS)
  } catch (error) {
    await close()
    throw error
  }
  const sessions: Sessions = {
    sql,
    async join(username) {
      const id = randomUUID()
      await sql`insert into auth.users (id, email) values (${id}, ${`${username}@example.com`})`
      await sql`insert into auth.sessions (id, user_id) values (${id}, ${id})`
      await sql`insert into profiles (id, username) values (${id}, ${username})`
      return id
    },
    as: async (member, work) =>
      (
        await sql.begin(async (tx) => {
          await tx`select set_config('request.jwt.claims', ${claimsOf(member)}, true),
          set_config('request.jwt.claim.sub', ${member}, true), set_config('role', 'authenticated', true)`
          return { value: await work(tx) }
        })
      ).value as never,
    waitUntilBlocked: (expected) =>
      vi.waitFor(async () => {
        const [row] = await sql`
          select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        expect(row?.waiting, 'sessions that wait for a lock').toBeGreaterThanOrEqual(expected)
      }),
    async workOff() {
      for (let removed: unknown = 1; removed !== 0; ) {
        const [row] = await sql`select private.work_job(20) as removed`
        removed = row?.removed
      }
    },
    close,
  }
  return sessions
}

/** Sets up a Supabase without migrations on an empty PostgreSQL. */
export async function setUp(url: string, sql: postgres.Sql): Promise<void> {
  const connection = createPostgresConnection({ url, postgresOptions: { onnotice: () => undefined } })
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.close()
  await sql.unsafe(SETUP_SQL)
  // As whom PostgREST signs in.
  await sql`create role authenticator noinherit`
}

interface OpenTransaction {
  commit(): Promise<unknown>
}

/**
 * Runs `work` in a transaction that stays open until `commit`, or until the end of the test, so that a failed test does not block
 * later ones.
 */
export async function hold(
  begin: (work: (tx: Tx) => Promise<void>) => Promise<unknown>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<OpenTransaction> {
  const [done, release] = [gate(), gate()]
  const finished = begin(async (tx) => {
    await work(tx)
    done.open()
    await release.opened
  })
  onTestFinished(async () => {
    release.open()
    await finished.catch(() => undefined)
  })
  await Promise.race([done.opened, finished])
  return {
    commit: () => {
      release.open()
      return finished
    },
  }
}
