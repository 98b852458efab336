import { randomUUID } from 'node:crypto'
import type { PGlite, Results } from '@electric-sql/pglite'
import { afterAll, expect } from 'vitest'
import { openMigratedDatabase } from './migrated-database'

type Row = Record<string, unknown>

/** What the API gives Supabase's auth functions to read: who asks, in which role. */
const CLAIMS = `
select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true),
  set_config('role', 'authenticated', true)`

/** For tests of anything else: their members do more in a second than people do in an hour. */
export const LIFT_QUOTAS = 'update private.quotas set per_minute = null, per_day = null'

/** A migrated database with members to act in it. */
export interface Community {
  pg: PGlite
  /** Makes an account and its profile; gives the member's id. */
  join(username: string, settings?: { isPrivate?: boolean }): Promise<string>
  /** Runs one statement as a client of the API does: in one transaction, in the member's name, under row security. */
  as(member: string, sql: string, parameters?: unknown[]): Promise<Row[]>
  /** Runs one statement as the database's owner. */
  sql(sql: string, parameters?: unknown[]): Promise<Row[]>
  /** A post of a text; gives its id. */
  post(author: string, content: string): Promise<string>
  close(): Promise<void>
}

/** The claims of a member's token. In these communities a session has its member's id. */
export const claimsOf = (member: string): string =>
  JSON.stringify({ sub: member, session_id: member, role: 'authenticated' })

/** Makes an account without a profile, signed in. */
export async function addAccount(pg: PGlite, id: string, email: string): Promise<void> {
  await pg.query('insert into auth.users (id, email) values ($1, $2)', [id, email])
  await pg.query('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
}

/** Opening a database takes a second, so test files that change rows only use the same one, one after the other. */
let shared: Promise<{ pg: PGlite; empty: string }> | undefined

async function openShared() {
  const pg = await openMigratedDatabase()
  const { rows } = await pg.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth') and tablename <> 'quotas'`,
  )
  const tables = rows.map(({ name }) => name).join(', ')
  return { pg, empty: `reset all; truncate ${tables} restart identity cascade; ${LIFT_QUOTAS}` }
}

/** An empty community, with the ids of members of these usernames; for files that leave the schema as it is. */
export async function openCommunity<Name extends string>(
  ...usernames: Name[]
): Promise<{ community: Community } & Record<Name, string>> {
  shared ??= openShared()
  const { pg, empty } = await shared
  await pg.exec(empty)
  return withMembers(communityOn(pg), usernames)
}

/** The same with a database of its own, closed after the tests of the file. */
export async function openOwnCommunity<Name extends string>(
  ...usernames: Name[]
): Promise<{ community: Community } & Record<Name, string>> {
  const community = communityOn(await openMigratedDatabase())
  await community.sql(LIFT_QUOTAS)
  afterAll(() => community.close())
  return withMembers(community, usernames)
}

async function withMembers<Name extends string>(community: Community, usernames: Name[]) {
  const ids = {} as Record<Name, string>
  for (const username of usernames) ids[username] = await community.join(username)
  return { community, ...ids }
}

/** A community in a database that is migrated already, as far as the test wants it to be. */
export function communityOn(pg: PGlite): Community {
  const community: Community = {
    pg,
    async join(username, { isPrivate = false } = {}) {
      const id = randomUUID()
      await addAccount(pg, id, `${username}@example.com`)
      await community.as(id, 'insert into profiles (id, username, full_name) values ($1, $2, $3)', [
        id,
        username,
        username,
      ])
      if (isPrivate) await community.as(id, 'update profiles set is_private = true where id = $1', [id])
      return id
    },
    as: async (member, sql, parameters) => (await runAs(pg, member, sql, parameters)).rows,
    sql: async (sql, parameters) => (await pg.query<Row>(sql, parameters)).rows,
    async post(author, content) {
      const id = randomUUID()
      await community.as(author, 'insert into posts (id, user_id, content) values ($1, $2, $3)', [
        id,
        author,
        content,
      ])
      return id
    },
    close: () => pg.close(),
  }
  return community
}

function runAs(pg: PGlite, member: string, sql: string, parameters: unknown[] = []): Promise<Results<Row>> {
  return pg.transaction(async (tx) => {
    await tx.query(CLAIMS, [claimsOf(member), member])
    return tx.query<Row>(sql, parameters)
  })
}

/** What PostgreSQL's error of this SQLSTATE looks like. */
export const refusal = (code: string) => expect.objectContaining({ code })
