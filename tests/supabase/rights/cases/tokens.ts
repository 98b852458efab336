import { SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientWithToken, signUp } from '#tests/backend/support/members'
import { expectDone, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { parse } from '#tests/supabase/rights/parse'

/** Tables that members can read. */
const TABLES = parse(EXPECTED)
  .map(({ table }) => table)
  .filter((table) => table !== 'reports')

/** Tokens without access. */
export function describeTokens(cast: () => Cast): void {
  describe('tokens', () => {
    beforeEach(() => cast().restore('public'))

    test('SET-03 the token of a deleted member can read and write nothing', async () => {
      const { server, ids, members } = cast()
      const gus = await signUp(server, 'gus')
      expectDone(await gus.client.from('posts').insert({ user_id: gus.id, content: 'My last one' }))
      expectDone(await gus.client.from('likes').insert({ post_id: ids.post, user_id: gus.id }))
      expect(rowsOf(await gus.client.from('posts').select('id'))).toHaveLength(3)
      expectDone(await gus.client.rpc('delete_account'))

      for (const table of TABLES) {
        expect([table, rowsOf(await gus.client.from(table).select())]).toEqual([table, []])
      }
      expect(rowsOf(await gus.client.rpc('search_profiles', { query: 'ada' }))).toEqual([])
      const attempts = [
        gus.client.from('profiles').insert({ id: gus.id, username: 'gus', full_name: 'Gus' }),
        gus.client.from('posts').insert({ user_id: gus.id, content: 'A ghost' }),
        gus.client.from('likes').insert({ post_id: ids.post, user_id: gus.id }),
        gus.client.from('comments').insert({ post_id: ids.post, user_id: gus.id, content: 'A ghost' }),
        gus.client.from('follows').insert({ follower_id: gus.id, following_id: members.ada.id }),
        gus.client.from('conversations').insert({ participant_1: gus.id, participant_2: members.ada.id }),
        gus.client.from('activity').insert({ user_id: gus.id }),
        gus.client.rpc('block_members', { ids: [members.ada.id] }),
        gus.client.from('mutes').insert({ muter_id: gus.id, muted_id: members.ada.id }),
        gus.client.from('reports').insert({ reporter_id: gus.id, member_id: members.ada.id, reason: 'spam' }),
      ]
      for (const attempt of attempts) expect((await attempt).error?.code).toMatch(/^(42501|23503|PT4\d\d)$/)
      const left = await server.query`select 1 from auth.users where id = ${gus.id}`
      expect(left).toEqual([])
    })

    test('an account without a profile has no access', async () => {
      const { nia, ada } = cast().members
      const { ids } = cast()
      for (const table of TABLES) {
        expect([table, rowsOf(await nia.client.from(table).select())]).toEqual([table, []])
      }
      expect(rowsOf(await nia.client.rpc('search_profiles', { query: 'ada' }))).toEqual([])
      for (const attempt of [
        nia.client.from('posts').insert({ user_id: nia.id, content: 'From nobody' }),
        nia.client.from('likes').insert({ post_id: ids.post, user_id: nia.id }),
        nia.client.from('follows').insert({ follower_id: nia.id, following_id: ada.id }),
        nia.client.rpc('block_members', { ids: [ada.id] }),
        nia.client.from('mutes').insert({ muter_id: nia.id, muted_id: ada.id }),
        nia.client.from('reports').insert({ reporter_id: nia.id, member_id: ada.id, reason: 'spam' }),
      ]) {
        expect((await attempt).error?.code).toMatch(/^(42501|23503|PT4\d\d)$/)
      }
    })

    test('rejects a token of another server', async () => {
      const { server, members } = cast()
      const forged = async (claims: Record<string, unknown>) =>
        clientWithToken(
          server,
          await new SignJWT({ aud: 'authenticated', ...claims })
            .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
            .setExpirationTime('1h')
            .sign(new TextEncoder().encode('a secret of some other server, long enough')),
        )
      for (const claims of [
        { sub: members.ada.id, role: 'authenticated' },
        { sub: members.ada.id, role: 'service_role' },
      ]) {
        const { status, data } = await (await forged(claims)).from('profiles').select('id')
        expect([status, data]).toEqual([401, null])
      }
      const unsigned = `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url({ sub: members.ada.id, role: 'service_role' })}.`
      const { status, data } = await clientWithToken(server, unsigned).from('profiles').select('id')
      expect([status, data]).toEqual([401, null])
    })

    test('visitors can call only setup_status and username_available', async () => {
      const { out, members } = cast()
      for (const [name, args] of [
        ['search_profiles', { query: 'ada' }],
        ['accept_follow_request', { requester: members.rae.id }],
        ['delete_account', {}],
        ['touch_activity', {}],
        ['settle', {}],
        ['unread_notifications', {}],
      ] as const) {
        const answer = await out.rpc(name, args)
        expectRefused(answer)
        expect(answer.status).toBe(401)
      }
      expect((await out.rpc('setup_status')).data).toMatchObject({
        changes: true,
        channels: true,
        serves: expect.stringMatching(/^2026\d{10}$/),
      })
      expect((await out.rpc('username_available', { name: 'free.name' })).data).toBe(true)
    })
  })
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
