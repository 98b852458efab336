import { randomUUID } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, expect } from 'vitest'
import { asQuery, type Query, type Statement } from '#tests/statement'
import { openMigratedDatabase } from './migrated-database'

type Row = Record<string, unknown>

/** Sets the claims and the role of a request, as PostgREST does. */
export const CLAIMS = `
select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true),
  set_config('role', 'authenticated', true)`

/** For all tests except those of quotas. */
export const LIFT_QUOTAS = 'update private.quotas set per_minute = null, per_day = null'

/** A migrated database with members. */
export interface Community {
  pg: PGlite
  /** Creates an account with a profile and returns the member's id. */
  join(username: string, settings?: { isPrivate?: boolean }): Promise<string>
  /** Runs a statement as an API request of a member: in a transaction, with row security. */
  as: ((member: string) => Statement) &
    ((member: string, sql: string, parameters?: unknown[]) => Promise<Row[]>)
  /** Runs a statement as the database owner. */
  sql: Query
  /** Creates a text post and returns its id. */
  post(author: string, content: string): Promise<string>
  close(): Promise<void>
}

/** The claims of a member's token. The session has the same id as the member. */
export const claimsOf = (member: string): string =>
  JSON.stringify({ sub: member, session_id: member, role: 'authenticated' })

/** Creates a signed-in account without a profile. */
export async function addAccount(pg: PGlite, id: string, email: string): Promise<void> {
  await pg.query('insert into auth.users (id, email) values ($1, $2)', [id, email])
  await pg.query('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
}

/** Opening a database takes a second, so test files that only change rows share one, one file after another. */
let shared: Promise<{ pg: PGlite; empty: string }> | undefined

async function openShared() {
  const pg = await openMigratedDatabase()
  const { rows } = await pg.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage') and tablename not in ('quotas', 'buckets')`,
  )
  const tables = rows.map(({ name }) => name).join(', ')
  return { pg, empty: `reset all; truncate ${tables} restart identity cascade; ${LIFT_QUOTAS}` }
}

/** Opens an empty community with the given members, for test files that do not change the schema. */
export async function openCommunity<Name extends string>(
  ...usernames: Name[]
): Promise<{ community: Community } & Record<Name, string>> {
  shared ??= openShared()
  const { pg, empty } = await shared
  await pg.exec(empty)
  return withMembers(communityOn(pg), usernames)
}

/** Opens a community with a separate database, which is closed after the tests of the file. */
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

export function asMembers(run: (member: string, sql: string, parameters: unknown[]) => Promise<Row[]>) {
  const asMember = (member: string) => asQuery((sql, parameters) => run(member, sql, parameters))
  return ((member: string, sql?: string, parameters?: unknown[]) =>
    sql === undefined ? asMember(member) : asMember(member)(sql, parameters)) as Community['as']
}

/** A community in a database that is migrated already, as far as the test wants it to be. */
export function communityOn(pg: PGlite): Community {
  const community: Community = {
    pg,
    async join(username, { isPrivate = false } = {}) {
      const id = randomUUID()
      await addAccount(pg, id, `${username}@example.com`)
      await community.as(id)`insert into profiles (id, username, full_name)
        values (${id}, ${username}, ${username})`
      if (isPrivate) await community.as(id)`update profiles set is_private = true where id = ${id}`
      return id
    },
    as: asMembers((member, sql, parameters) =>
      pg.transaction(async (tx) => {
        await tx.query(CLAIMS, [claimsOf(member), member])
        return (await tx.query<Row>(sql, parameters)).rows
      }),
    ),
    sql: asQuery(async (sql, parameters) => (await pg.query<Row>(sql, parameters)).rows),
    async post(author, content) {
      const id = randomUUID()
      await community.as(author)`insert into posts (id, user_id, content)
        values (${id}, ${author}, ${content})`
      return id
    },
    close: () => pg.close(),
  }
  return community
}

/** Runs statements of the owner without triggers: they can write rows as they were before a rule that a trigger checks. */
export async function withoutTriggers(
  { sql }: Pick<Community, 'sql'>,
  work: () => Promise<unknown>,
): Promise<void> {
  await sql('set session_replication_role = replica')
  try {
    await work()
  } finally {
    await sql('reset session_replication_role')
  }
}

/** What PostgreSQL's error of this SQLSTATE looks like. */
export const refusal = (code: string) => expect.objectContaining({ code })
