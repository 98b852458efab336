import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectRefused } from '#tests/supabase/rights/answers'
import type { Cast, Name } from '#tests/supabase/rights/cast'
import { block, unblock } from '#tests/supabase/rights/connections'

/** A former username resolves to its member, if the viewer may see the member. */
export function describeFormerNames(cast: () => Cast): void {
  describe('former names', () => {
    const restore = async () => {
      await cast().restore('public')
      await cast().server.exec('delete from private.former_usernames')
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

    test('EDIT-03 resolves a reused username to its latest owner', async () => {
      await rename('ada', 'ada.new')
      await rename('sid', 'ada')
      expect(await ask('ben', 'ada')).toBeNull()
      await rename('sid', 'sid.new')
      expect(await ask('ben', 'ada')).toBe('sid.new')
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
      await server.query('delete from public.profiles where id = $1', [members.ada.id])
      expect(await server.query('select username from private.former_usernames')).toEqual([])
    })
  })
}
