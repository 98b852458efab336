import { beforeEach, describe, expect, test } from 'vitest'
import { type Cursor, newestFirst } from '#/renderer/lib/queries/keyset'
import { expectDone, expectInvalid, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'
import { block as blockAs } from '#tests/supabase/rights/connections'

/** Only the muting member sees a mute; only the owner of the project sees a report. */
export function describeMutingAndReporting(cast: () => Cast): void {
  const overview = () =>
    cast().server.query(
      `select member, reported_by, reason, details, reports_of_member::integer, post_content, post_id
       from private.reports_overview where details like 'Case:%'`,
    )

  describe('muting', () => {
    beforeEach(() => cast().restore('public'))

    test('SAFE-02 hides no rows, and nobody else can see it', async () => {
      const { sid, ada, fay } = cast().members
      expectDone(await sid.client.from('mutes').insert({ muter_id: sid.id, muted_id: ada.id }))
      expect(rowsOf(await sid.client.from('posts').select('id').eq('user_id', ada.id))).toHaveLength(2)
      for (const { client } of [ada, fay]) {
        expect(rowsOf(await client.from('mutes').select())).toEqual([])
        expect(rowsOf(await client.rpc('muted_members'))).toEqual([])
      }
      const notifications = await cast().server.query`select 1 from public.notifications
        where actor_id = ${sid.id}`
      expect(notifications).toEqual([])
      expect(rowsOf(await sid.client.rpc('muted_members'))).toMatchObject([{ id: ada.id, username: 'ada' }])
      expectDone(await sid.client.from('mutes').delete().eq('muted_id', ada.id))
      expect(rowsOf(await sid.client.rpc('muted_members'))).toEqual([])
    })

    test('SAFE-04 lists are sorted newest first, and members cannot mute or block themselves or anyone twice', async () => {
      const { sid, ada, fay, rae } = cast().members
      const mute = (id: string) => sid.client.from('mutes').insert({ muter_id: sid.id, muted_id: id })
      const block = (id: string) => sid.client.rpc('block_members', { ids: [id] })
      for (const [list, add] of [
        ['muted_members', mute],
        ['blocked_members', block],
      ] as const) {
        for (const { id } of [ada, fay, rae]) expectDone(await add(id))
        const listed = rowsOf(await sid.client.rpc(list)).map(({ username }) => username)
        expect(listed).toEqual(['rae', 'fay', 'ada'])
        // Also in pages: a server returns at most a thousand rows per response.
        const paged: unknown[] = []
        let after: Cursor = null
        for (let page = 0; page < 4; page += 1) {
          const query = sid.client.rpc(list).select('id,username,created_at')
          const [row] = rowsOf(await newestFirst(query, { after, size: 1, idColumn: 'id' }))
          if (row === undefined) break
          paged.push(row.username)
          after = { createdAt: String(row.created_at), id: String(row.id) }
        }
        expect(paged).toEqual(listed)
        expectInvalid(await add(sid.id))
        if (add === mute) expectInvalid(await add(rae.id))
        else expectDone(await add(rae.id))
        await cast().restore('public')
      }
    })
  })

  describe('reporting', () => {
    beforeEach(() => cast().restore('public'))

    test('SAFE-03 keeps a copy of the post, even after it changes, visible only to the owner of the project', async () => {
      const { sid, fay, ada } = cast().members
      const { ids } = cast()
      const row = { member_id: ada.id, post_id: ids.post, reason: 'misinformation' }
      const report = { ...row, reporter_id: sid.id, details: '  Case: no weir there ' }
      expectDone(await sid.client.from('reports').insert(report))
      expectDone(
        await fay.client.from('reports').insert({ ...row, reporter_id: fay.id, post_id: null, details: ' ' }),
      )
      expectDone(await ada.client.from('posts').update({ content: 'Nothing here' }).eq('id', ids.post))
      const expected = {
        member: 'ada',
        reported_by: 'sid',
        reason: 'misinformation',
        details: 'Case: no weir there',
        reports_of_member: 3,
        post_content: 'Fog over the weir, with @tim',
      }
      expect(await overview()).toEqual([{ ...expected, post_id: ids.post }])
      expectDone(await ada.client.rpc('delete_posts', { ids: [ids.post] }))
      expect(await overview()).toEqual([{ ...expected, post_id: null }])
      for (const { client } of [sid, fay, ada]) {
        expectRefused(await client.from('reports').select('id'))
        const counted = await client.from('reports').select('*', { count: 'exact', head: true })
        expect([counted.status, counted.count]).toEqual([403, null])
        expectRefused(await client.from('profiles').select('reports!reports_member_id_fkey(id)'))
        expectRefused(await client.from('reports').insert(report).select('id'))
        expect((await client.schema('private').from('reports_overview').select()).error?.code).toBe(
          'PGRST106',
        )
      }
    })

    test('SAFE-03 can only be about rows that the reporter can see, and its copy cannot be forged', async () => {
      const { sid, ada, ben } = cast().members
      const { ids } = cast()
      const row = { reporter_id: sid.id, member_id: ada.id, reason: 'hate' }
      const report = (more: object) => sid.client.from('reports').insert({ ...row, ...more })
      expectInvalid(await report({ reason: 'because' }))
      expectInvalid(await report({ details: 'x'.repeat(501) }))
      expectInvalid(await report({ member_id: sid.id }))
      expectRefused(await report({ post_content: 'She wrote this' }))
      expectRefused(await report({ created_at: '2001-01-01' }))
      expectRefused(await report({ member_id: ben.id, post_id: ids.post }))
      expectRefused(await report({ post_id: crypto.randomUUID() }))
      await cast().restore('private')
      expectRefused(await report({ post_id: ids.post }))
      expectDone(await report({ details: 'Case: the account itself' }))
      expect(await overview()).toMatchObject([{ post_content: null, post_id: null }])
    })

    test('SAFE-03 is possible after blocking and from the existing conversation, but not by the blocked member', async () => {
      const { ada, max, rae, sid } = cast().members
      await blockAs(cast(), 'ada', 'max')
      await blockAs(cast(), 'ada', 'sid')
      const row = { reason: 'harassment', details: 'Case: harassment' }
      for (const [reporter, member] of [
        [ada, max],
        [max, ada],
        [ada, sid],
      ] as const) {
        const report = { ...row, reporter_id: reporter.id, member_id: member.id }
        expectDone(await reporter.client.from('reports').insert(report))
      }
      // A conversation with somebody else shows nobody.
      const started = { participant_1: sid.id, participant_2: rae.id }
      expectDone(await sid.client.from('conversations').insert(started))
      expectRefused(
        await sid.client.from('reports').insert({ ...row, reporter_id: sid.id, member_id: ada.id }),
      )
      expect(await overview()).toHaveLength(3)
    })
  })
}
