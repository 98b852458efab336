import { beforeEach, describe, expect, test } from 'vitest'
import { expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { parse } from '#tests/supabase/rights/parse'
import { curl, tokenOf } from '#tests/supabase/rights/raw'

const TABLES = parse(EXPECTED).map(({ table }) => table)

/** Access in other ways than the tables: other schemas, functions, raw requests. */
export function describeIndirectAccess(cast: () => Cast): void {
  describe('indirect access', () => {
    beforeEach(() => cast().restore('private'))

    test('visitors can read no table, not even its row count', async () => {
      for (const table of TABLES) {
        const read = await cast().out.from(table).select('*')
        expectRefused(read)
        expect([table, read.status]).toEqual([table, 401])
        const head = await cast().out.from(table).select('*', { count: 'exact', head: true })
        expect([table, head.status, head.count]).toEqual([table, 401, null])
      }
    })

    test('only the schema public is served', async () => {
      const { sid, ada } = cast().members
      for (const schema of [
        'private',
        'auth',
        'realtime',
        'extensions',
        'pg_catalog',
        'supabase_migrations',
      ]) {
        for (const client of [sid.client, cast().out]) {
          expect((await client.schema(schema).from('users').select('*')).error?.code).toBe('PGRST106')
          const called = await client.schema(schema).rpc('is_member', { member: ada.id })
          expect(called.error?.code).toBe('PGRST106')
        }
      }
      const token = await tokenOf(cast(), 'sid')
      for (const path of [
        'private.is_member',
        'private%2Eis_member',
        'pg_sleep',
        'set_config',
        'pg_read_file',
      ]) {
        const { status } = await curl(cast(), `/rest/v1/rpc/${path}`, { method: 'POST', body: '{}' }, token)
        expect([path, status]).toEqual([path, 404])
      }
      for (const path of ['auth.users', 'pg_class', 'pg_user', 'information_schema.tables']) {
        const { status } = await curl(cast(), `/rest/v1/${path}`, {}, token)
        expect([path, status]).toEqual([path, 404])
      }
    })

    test('functions of the schema private cannot be called without their wrapper', async () => {
      const functions = await cast().server.query(
        `select proname as name from pg_catalog.pg_proc where pronamespace = 'private'::regnamespace`,
      )
      expect(functions.length).toBeGreaterThan(0)
      const wrapped = await cast().server.query(
        `select proname as name from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace`,
      )
      const served = new Set(wrapped.map(({ name }) => name))
      for (const { name } of functions.filter((one) => !served.has(one.name))) {
        const { status } = await curl(
          cast(),
          `/rest/v1/rpc/${name}`,
          { method: 'POST', body: '{}' },
          await tokenOf(cast(), 'sid'),
        )
        expect([name, status]).toEqual([name, 404])
      }
    })

    test('the role and claims cannot be set by headers or arguments', async () => {
      const { ada } = cast().members
      const sneaky = {
        'content-type': 'application/json',
        role: 'service_role',
        'x-role': 'service_role',
        'request.jwt.claim.sub': ada.id,
        prefer: 'tx=commit, params=single-object',
      }
      const path = `/rest/v1/posts?select=id&user_id=eq.${ada.id}`
      const asSid = await curl(cast(), path, { headers: sneaky }, await tokenOf(cast(), 'sid'))
      expect([asSid.status, await asSid.json()]).toEqual([200, []])
      expect((await curl(cast(), path, { headers: sneaky })).status).toBe(401)
      expect((await curl(cast(), path, { headers: { apikey: 'sb_secret_guess' } })).status).toBe(401)
    })

    test('rejects raw upserts, the columns parameter and the admin API of auth', async () => {
      const { ids, members, server } = cast()
      const token = await tokenOf(cast(), 'sid')
      const before = await server.query('select t::text from public.posts t order by id')
      const row = { id: ids.post, user_id: members.sid.id, content: 'Taken over', like_count: 999 }
      for (const [method, path] of [
        ['PUT', `/rest/v1/posts?id=eq.${ids.post}`],
        ['POST', '/rest/v1/posts?on_conflict=id'],
        ['POST', '/rest/v1/posts?on_conflict=id&columns=id,user_id,content'],
        ['POST', '/rest/v1/posts?columns=user_id,content,like_count'],
        ['PATCH', `/rest/v1/posts?id=eq.${ids.post}&columns=like_count`],
      ] as const) {
        const headers = { prefer: 'resolution=merge-duplicates, return=representation' }
        const answer = await curl(cast(), path, { method, headers, body: JSON.stringify(row) }, token)
        expect([path, answer.status]).toEqual([path, 403])
      }
      expect(await server.query('select t::text from public.posts t order by id')).toEqual(before)
      for (const path of ['/auth/v1/admin/users', `/auth/v1/admin/users/${members.ada.id}`]) {
        for (const method of ['GET', 'DELETE', 'PUT']) {
          expect([401, 403, 404, 405]).toContain((await curl(cast(), path, { method }, token)).status)
          expect([401, 403, 404, 405]).toContain((await curl(cast(), path, { method })).status)
        }
      }
    })

    test('treats text that looks like SQL as text', async () => {
      const { sid, ada } = cast().members
      const hostile = `x'); delete from public.posts; --`
      const path = (query: string) => `/rest/v1/posts?${query}`
      const token = await tokenOf(cast(), 'sid')
      for (const query of [
        `select=id,(select content from posts)`,
        `select=id&order=id;drop table posts`,
        `select=id&user_id=eq.${encodeURIComponent(hostile)}`,
        `select=id&or=(user_id.eq.${ada.id},audience.eq.followers)`,
        `select=id&limit=1;select 1`,
        `select=id::regclass`,
      ]) {
        const answer = await curl(cast(), path(encodeURI(query)), {}, token)
        const body: unknown = await answer.json()
        expect([query, answer.status < 400 ? body : 'refused']).toEqual([
          query,
          answer.status < 400 ? [] : 'refused',
        ])
      }
      const made = await sid.client
        .from('posts')
        .insert({ user_id: sid.id, content: hostile })
        .select('content')
      expect(rowsOf(made)).toEqual([{ content: hostile }])
      expect(await cast().server.query('select 1 from public.posts')).toHaveLength(3)
    })

    test('a notification does not embed a post that its recipient can no longer read', async () => {
      const { ada, sid } = cast().members
      await cast().server.query`update public.notifications set user_id = ${sid.id}
        where comment_id = ${cast().ids.comment} and type = 'comment'`
      const notifications = await sid.client
        .from('notifications')
        .select(
          'actor:profiles!notifications_actor_id_fkey(username), post:posts(id,content), comment:comments(id,content)',
        )
      expect(rowsOf(notifications)).toEqual([{ actor: { username: 'ben' }, post: null, comment: null }])
      const asAda = await ada.client.from('notifications').select('post:posts(content)').eq('type', 'like')
      expect(rowsOf(asAda)).toEqual([{ post: { content: 'Fog over the weir, with @tim' } }])
    })
  })
}
