import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { ServerInfo } from '#/shared/server'
import { createApi, createMember, DEFAULT_MEMBER, type Member, memberOf } from './member'
import type { TestServer } from './server'

/** What is needed to sign in as a member of the pool. */
interface PooledMember {
  username: string
  refresh_token: string
}

/** More than the tests of one worker use; beyond it, members sign up. */
const POOL_SIZE = 500

/**
 * Copies a member, their profile and their session. Signing up costs 150 ms of CPU time for the password hash, which a copy
 * shares; the copied session is exchanged for a new one like any other.
 */
const COPY_SQL = `
with copies as materialized (
  select gen_random_uuid() as id, gen_random_uuid() as session_id, gen_random_uuid()::text as refresh_token,
    'm' || substr(md5(random()::text), 1, 12) as username
  from generate_series(1, ${POOL_SIZE})
), users as (
  insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
    raw_user_meta_data, is_sso_user, is_anonymous, created_at, updated_at)
  select c.id, u.aud, u.role, c.username || '@example.com', u.encrypted_password, u.email_confirmed_at, u.raw_app_meta_data,
    u.raw_user_meta_data || jsonb_build_object('sub', c.id, 'email', c.username || '@example.com', 'username', c.username),
    u.is_sso_user, u.is_anonymous, u.created_at, u.updated_at
  from copies c cross join auth.users u
), sessions as (
  insert into auth.sessions (id, user_id, created_at, updated_at, aal)
  select c.session_id, c.id, now(), now(), 'aal1' from copies c
), tokens as (
  insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, created_at, updated_at)
  select gen_random_uuid(), c.refresh_token, c.id, c.session_id, false, now(), now() from copies c
), profiles as (
  insert into public.profiles (id, username, full_name) select c.id, c.username, $1 from copies c
)
select username, refresh_token from copies
`

/** Members made in advance, for tests that need any member. */
export class MemberPool {
  readonly #server: ServerInfo
  readonly #members: PooledMember[]

  private constructor(server: ServerInfo, members: PooledMember[]) {
    this.#server = server
    this.#members = members
  }

  /** Fills a new server, which is restarted for it. */
  static async fill(server: TestServer): Promise<MemberPool> {
    await createMember(server.info)
    await server.kill()
    const pg = new PGlite(join(server.dataFolder, 'postgres'), { extensions: { pg_trgm } })
    const { rows } = await pg.query<PooledMember>(COPY_SQL, [DEFAULT_MEMBER.fullName])
    await pg.close()
    await server.restart()
    return new MemberPool(server.info, rows)
  }

  /** A signed-in member that no other test has; null when all are taken. */
  async take(): Promise<Member | null> {
    const next = this.#members.pop()
    if (next === undefined) return null
    const items = new Map<string, string>()
    const api = createApi(this.#server, items)
    const { data, error } = await api.auth.refreshSession({ refresh_token: next.refresh_token })
    if (error) throw error
    if (data.user === null) throw new Error('The session of a pooled member has no user')
    return memberOf(this.#server, api, items, {
      id: data.user.id,
      username: next.username,
      ...DEFAULT_MEMBER,
    })
  }
}
