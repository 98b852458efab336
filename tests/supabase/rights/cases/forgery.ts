import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectInvalid, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, PICTURE } from '#tests/supabase/rights/cast'

const FAR = '2099-12-31T23:59:59+00:00'

/** Forged rows are rejected. */
export function describeForgery(cast: () => Cast): void {
  describe('forgery', () => {
    beforeEach(() => cast().restore('public'))

    test('a new member can create and read the own profile, and no other', async () => {
      const { nia } = cast().members
      const foreign = { id: crypto.randomUUID(), username: 'ghost', full_name: 'A Ghost' }
      expectRefused(await nia.client.from('profiles').insert(foreign))
      const own = { id: nia.id, username: 'nia', full_name: 'Nia Example' }
      const made = await nia.client.from('profiles').insert(own).select('id,username,follower_count')
      expect(rowsOf(made)).toEqual([{ id: nia.id, username: 'nia', follower_count: 0 }])
    })

    test('a forged row in a bulk insert rejects all rows', async () => {
      const { sid, ada } = cast().members
      const honest = { user_id: sid.id, content: 'Mine' }
      expectRefused(await sid.client.from('posts').insert([honest, { user_id: ada.id, content: 'Not mine' }]))
      expect(rowsOf(await sid.client.from('posts').select('id').eq('user_id', sid.id))).toEqual([])
    })

    test('an upsert cannot change a row of another member', async () => {
      const { sid, ada, max } = cast().members
      const { ids, server } = cast()
      const before = await allRows(cast())
      const requests: [string, Record<string, unknown>][] = [
        ['posts', { id: ids.post, user_id: sid.id, content: 'Taken over' }],
        ['posts', { id: ids.post, user_id: ada.id, content: 'Rewritten' }],
        ['comments', { id: ids.comment, post_id: ids.post, user_id: sid.id, content: 'Taken over' }],
        ['stories', { id: ids.story, user_id: sid.id, media_url: PICTURE, media_type: 'image' }],
        ['profiles', { id: ada.id, username: 'sid2', full_name: 'Not Ada' }],
        ['profiles', { id: sid.id, username: 'ada', full_name: 'Sid' }],
        [
          'messages',
          { id: ids.message, conversation_id: ids.conversation, sender_id: sid.id, content: 'No' },
        ],
        ['conversations', { id: ids.conversation, participant_1: sid.id, participant_2: max.id }],
        ['notifications', { id: ids.notification, user_id: sid.id, type: 'like', actor_id: ada.id }],
        ['activity', { user_id: ada.id, last_active_at: FAR }],
      ]
      for (const [table, row] of requests) {
        const { error } = await sid.client.from(table).upsert(row)
        expect([table, error?.code]).toEqual([table, expect.any(String)])
      }
      expect(await allRows(cast())).toEqual(before)
      expect(await server.query`select 1 from public.profiles where username = ${'sid2'}`).toEqual([])
    })

    test('a write without a filter changes only rows of the member', async () => {
      const { sid } = cast().members
      expectDone(await sid.client.from('posts').insert({ user_id: sid.id, content: 'Mine' }))
      const before = await allRows(cast())
      const changed = await sid.client
        .from('posts')
        .update({ content: 'Changed' })
        .not('id', 'is', null)
        .select('user_id')
      expect(rowsOf(changed)).toEqual([{ user_id: sid.id }])
      for (const [table, column] of [
        ['likes', 'post_id'],
        ['follows', 'follower_id'],
        ['saved_posts', 'post_id'],
        ['notifications', 'id'],
      ] as const) {
        expectDone(await sid.client.from(table).delete().not(column, 'is', null))
      }
      for (const table of ['posts', 'comments', 'stories']) {
        expectRefused(await sid.client.from(table).delete().not('id', 'is', null))
        const all = await cast().server.query(`select id from public.${table}`)
        expectDone(await sid.client.rpc(`delete_${table}`, { ids: all.map(({ id }) => id) }))
      }
      const ofOthers = (rows: string[]) => rows.filter((row) => !row.includes(sid.id))
      expect(ofOthers(await allRows(cast()))).toEqual(ofOthers(before))
    })

    test('nobody can follow, like or view as another member, or follow themselves', async () => {
      const { sid, ada } = cast().members
      const { secondStory } = cast().ids
      expectInvalid(await sid.client.from('follows').insert({ follower_id: sid.id, following_id: sid.id }))
      expectInvalid(await ada.client.from('story_views').insert({ story_id: secondStory, viewer_id: ada.id }))
    })
  })

  describe('usernames', () => {
    beforeEach(() => cast().restore('public'))

    test.each(['ada', 'ADA', 'Ada'])('EDIT-04 %s is taken, however it is written', async (username) => {
      const { sid } = cast().members
      expectInvalid(await sid.client.from('profiles').update({ username }).eq('id', sid.id))
      const owners = await cast().server.query(`select id from public.profiles where lower(username) = 'ada'`)
      expect(owners).toEqual([{ id: cast().members.ada.id }])
    })

    test('AUTH-09 a visitor can see that a username is taken', async () => {
      const { out } = cast()
      const names = ['ada', 'ADA', 'free.name', 'no spaces', '', '%', 'ab', '.dot', 'dot.', 'x'.repeat(31)]
      for (const name of names) {
        const { data, error } = await out.rpc('username_available', { name })
        expect([name, error, data]).toEqual([name, null, name === 'free.name'])
      }
    })
  })
}

/** Every row of every table, each prefixed with the name of its table. */
async function allRows({ server }: Cast): Promise<string[]> {
  const tables = await server.query(
    `select c.relname as name from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  const sql = tables
    .map(({ name }) => `select '${name} ' || t::text as row from public.${name} t`)
    .join(' union all ')
  return (await server.query(sql)).map(({ row }) => String(row)).toSorted()
}
