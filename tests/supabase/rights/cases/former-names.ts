import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectRefused } from '#tests/supabase/rights/answers'
import type { Cast, Name } from '#tests/supabase/rights/cast'
import { block, unblock } from '#tests/supabase/rights/connections'

/** A former username resolves to its member, if the viewer may see the member. */
export function describeFormerNames(cast: () => Cast): void {
  describe('former names', () => {
    const restore = async () => {
      await cast().restore('public')
      await cast().server.exec('delete from private.former_usernames; delete from private.deleted_usernames')
    }
    beforeEach(restore)
    afterEach(restore)

    const rename = async (who: Name, username: string) => {
      const { client, id } = cast().members[who]
      expectDone(await client.from('profiles').update({ username }).eq('id', id))
    }
    const ask = async (who: Name, name: string): Promise<unknown> => {
      const { data, error } = await cast().members[who].client.rpc('renamed_to', { name })
      expect(error).toBeNull()
      return data
    }

    test('EDIT-03 resolves former usernames to the current one, after any number of changes and case-insensitively', async () => {
      expect(await ask('sid', 'ada')).toBeNull()
      await rename('ada', 'ada.one')
      await rename('ada', 'ada.two')
      for (const who of ['ada', 'ben', 'sid'] as const) {
        expect(await ask(who, 'ada')).toBe('ada.two')
        expect(await ask(who, 'Ada.One')).toBe('ada.two')
      }
      expect(await ask('sid', 'ada.two')).toBeNull()
      expect(await ask('sid', 'nobody')).toBeNull()
    })

    /** Makes the names that members have given up older by this many days. */
    const wait = (days: number) =>
      cast().server.exec(`
        update private.former_usernames set since = since - interval '${days} days';
        update private.deleted_usernames set since = since - interval '${days} days'`)
    /** The error of a change of the username, without the values that a screen does not show. */
    const refusalOf = async (who: Name, username: string) => {
      const { client, id } = cast().members[who]
      const { error, status } = await client.from('profiles').update({ username }).eq('id', id)
      return { status, ...error }
    }
    const isAvailable = async (client: Cast['out'], name: string) =>
      (await client.rpc('username_available', { name }).throwOnError()).data

    test('EDIT-04 holds the last two usernames of a member for that member, for 30 days', async () => {
      const { out, members } = cast()
      for (const name of ['ada.one', 'ada.two', 'ada.three']) await rename('ada', name)
      // Of three former names, the oldest is free.
      expect([
        await isAvailable(out, 'ada'),
        await isAvailable(out, 'ada.one'),
        await isAvailable(out, 'ada.two'),
      ]).toEqual([true, false, false])
      expect(await isAvailable(members.sid.client, 'Ada.Two')).toBe(false)
      expect(await isAvailable(members.ada.client, 'ada.two')).toBe(true)
      await rename('sid', 'ada')
      for (const name of ['ada.one', 'ada.two']) {
        // The same error as for a name in use: nobody learns that it is held, or for which member.
        expect([name, await refusalOf('ben', name)]).toEqual([name, await refusalOf('ben', 'ada.three')])
        expect((await refusalOf('ben', name)).code).toBe('23505')
      }
      const { nia } = members
      const created = await nia.client
        .from('profiles')
        .insert({ id: nia.id, username: 'ada.one', full_name: '' })
      expect(created.error?.code).toBe('23505')
      await rename('ada', 'ada.one')
      expect(await ask('ben', 'ada.three')).toBe('ada.one')
      await wait(29)
      expect(await isAvailable(out, 'ada.three')).toBe(false)
      await wait(1)
      expect(await isAvailable(out, 'ada.three')).toBe(true)
      await rename('ben', 'ada.three')
      expect(await ask('sid', 'ada.three')).toBeNull()
    })

    test('SET-03 holds the username of a deleted account for nobody, with only the name and the date', async () => {
      const { out, server, members } = cast()
      await rename('ada', 'ada.one')
      await wait(10)
      await rename('ada', 'ada.two')
      await server.query`delete from public.profiles where id = ${members.ada.id}`
      const kept = await server.query('select * from private.deleted_usernames order by username')
      expect(kept.map((row) => Object.keys(row as object))).toEqual(Array(3).fill(['username', 'since']))
      for (const name of ['ada', 'ada.one', 'ada.two']) {
        expect([name, await isAvailable(out, name)]).toEqual([name, false])
        expect([name, await refusalOf('ben', name)]).toEqual([name, await refusalOf('ben', 'sid')])
        expect(await ask('ben', name)).toBeNull()
      }
      // The first name was given up earlier.
      await wait(20)
      expect([await isAvailable(out, 'ada'), await isAvailable(out, 'ada.two')]).toEqual([true, false])
      await wait(10)
      await rename('ben', 'ada.two')
    })

    test('EDIT-03 resolves a reused username to its latest owner', async () => {
      await rename('ada', 'ada.new')
      await wait(30)
      await rename('sid', 'ada')
      expect(await ask('ben', 'ada')).toBeNull()
      await rename('sid', 'sid.new')
      expect(await ask('ben', 'ada')).toBe('sid.new')
      await wait(30)
      await rename('ada', 'ada')
      expect(await ask('ben', 'ada')).toBeNull()
      const { nia } = cast().members
      expectDone(await nia.client.from('profiles').insert({ id: nia.id, username: 'sid', full_name: '' }))
      expect(await ask('ben', 'sid')).toBeNull()
    })

    test('SAFE-01 does not resolve the username across a block, in either direction', async () => {
      await rename('ada', 'ada.new')
      await rename('ben', 'ben.new')
      await block(cast(), 'ada', 'ben')
      expect(await ask('ben', 'ada')).toBeNull()
      expect(await ask('ada', 'ben')).toBeNull()
      expect(await ask('sid', 'ada')).toBe('ada.new')
      await unblock(cast(), 'ada', 'ben')
      expect(await ask('ben', 'ada')).toBe('ada.new')
    })

    test('rejects visitors, returns nothing to accounts without a profile, and deletes former usernames with their member', async () => {
      const { out, server, members } = cast()
      await rename('ada', 'ada.new')
      expectRefused(await out.rpc('renamed_to', { name: 'ada' }))
      expect(await ask('nia', 'ada')).toBeNull()
      await server.query`delete from public.profiles where id = ${members.ada.id}`
      expect(await server.query('select username from private.former_usernames')).toEqual([])
    })
  })
}
