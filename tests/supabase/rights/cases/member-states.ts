import { beforeEach, describe, expect, test } from 'vitest'
import { type Member, signUp } from '#tests/backend/support/members'
import { expectDone, rowsOf } from '#tests/supabase/rights/answers'
import { CALLS, NOTHING } from '#tests/supabase/rights/cases/ended-sessions'
import type { Cast } from '#tests/supabase/rights/cast'

/** Functions that write for their caller. Another one fails the test until it is here, and below or with a reason above. */
const REFUSED = [
  'accept_follow_request',
  'block_members',
  'create_post',
  'delete_comments',
  'delete_posts',
  'delete_stories',
  'edit_message',
  'end_follow',
  'mark_delivered',
  'mark_read',
  'register_device',
  'settle',
  'touch_activity',
  'unsend_message',
]
/** Leaving and signing out are allowed in every state. */
const ALLOWED = ['answer_sign_in', 'clear_account', 'delete_account', 'end_session']

/** What a call changes for an active member depends on what waits. */
const MAY_CHANGE_NOTHING = ['mark_delivered', 'register_device', 'settle', 'touch_activity']

/** Tables whose policies alone refuse: they have no trigger that counts for the caller. */
const WITHOUT_TRIGGER = [
  'activity INSERT',
  'activity UPDATE',
  'blocks DELETE',
  'post_media INSERT',
  'profiles INSERT',
]

/** Which rows of a table are the caller's own, among those that a download has. */
export const OWN_ROWS: Record<string, string> = {
  comment_likes: 'user_id.eq.me',
  comments: 'user_id.eq.me',
  conversation_members: 'member_id.eq.me',
  conversation_views: 'member_id.eq.me',
  conversations: 'participant_1.eq.me,participant_2.eq.me',
  follow_requests: 'requester_id.eq.me',
  follows: 'follower_id.eq.me,following_id.eq.me',
  hashtag_follows: 'follower_id.eq.me',
  likes: 'user_id.eq.me',
  message_media: 'sender_id.eq.me',
  message_reactions: 'member_id.eq.me',
  messages: 'sender_id.eq.me',
  post_media: 'user_id.eq.me',
  posts: 'user_id.eq.me',
  profiles: 'id.eq.me',
  saved_posts: 'user_id.eq.me',
  stories: 'user_id.eq.me',
}
/** Of the own account, and only if there are some. */
const MAY_BE_EMPTY = ['my_unused_objects', 'new_sign_ins']
/** What a suspended member gets from functions: the list of own conversations runs as the caller. */
const OWN_FUNCTIONS = [
  'media_in_storage',
  'media_limit',
  'my_conversations',
  'my_sessions',
  'my_state',
  'signed_in_recently',
]

/** Members who are pending or suspended (docs/decisions/0109-member-state-and-roles.md). */
export function describeMemberStates(cast: () => Cast): void {
  const setState = (member: Member, state: string, until = 'null') =>
    cast().server.query(
      `insert into private.member_states (member_id, state, until, reason) values ($1, $2, ${until}, 'Spam')
        on conflict (member_id) do update set state = excluded.state, until = excluded.until`,
      [member.id, state],
    )

  async function allRows(): Promise<unknown> {
    const tables = await cast().server.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
    const sums = tables.map(
      ({ name }) =>
        `'${name}', (select md5(string_agg(t::text, '|' order by t::text)) from public.${name} t)`,
    )
    return (await cast().server.query(`select json_build_object(${sums.join()}) as sums`))[0]?.sums
  }

  describe('a member who is not active', () => {
    beforeEach(async () => {
      await cast().restore('private')
      await cast().server.query('delete from private.member_states')
    })

    test('each function that members can call and that writes is refused, or is for leaving', async () => {
      const writing = await cast().server.query(`select p.proname as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v'
          and has_function_privilege('authenticated', p.oid, 'execute') and not has_function_privilege('anon', p.oid, 'execute')`)
      expect(writing.map(({ name }) => name).toSorted()).toEqual([...REFUSED, ...ALLOWED].toSorted())
    })

    test.each(REFUSED)('%s is refused with 403 and changes nothing', async (name) => {
      const { ada } = cast().members
      const call = () => ada.client.rpc(name, CALLS[name]?.(cast()) ?? {})
      const before = await allRows()
      for (const [state, message] of [
        ['suspended', 'Your account is suspended.'],
        ['pending', 'Your account waits to be admitted.'],
      ] as const) {
        await setState(ada, state, `'2100-01-01'`)
        const { error, status } = await call()
        expect({ ...error, status }).toMatchObject({ code: 'PT403', message, status: 403 })
        expect(error?.details).toContain('2100-01-01')
      }
      expect(await allRows()).toEqual(before)
      // Not refused for another reason: limited members and those whose time is over are not held up.
      await setState(ada, 'limited')
      expectDone(await call())
      if (MAY_CHANGE_NOTHING.includes(name)) return
      expect(await allRows()).not.toEqual(before)
      await cast().restore('private')
      await setState(ada, 'suspended', 'now()')
      expectDone(await call())
    })

    test('is refused before anything is locked or counted', async () => {
      const bodies = await cast().server.query(
        `select p.proname as name, p.prosrc as body from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          where p.proname = any ($1) and (n.nspname = 'private' or p.proname = 'touch_activity')`,
        [[...REFUSED, 'check_ids', 'count_quota', 'refuse_spent'].join()].map((names) => `{${names}}`),
      )
      // create_post() and end_follow() run as the caller: the triggers that count refuse them.
      expect(bodies).toHaveLength(REFUSED.length + 1)
      for (const { body } of bodies)
        expect(String(body)).toMatch(
          /^\s*(?:(?:declare.*?)?\nbegin\s+perform|select) private\.(?:require_active\(\)|check_ids\(ids\));/s,
        )
    })

    test('each table, command and column that members may write has a trigger that asks for the state', async () => {
      const open = await cast().server.query(`
        with granted as (
          select c.oid as of_table, 'DELETE' as command, 8 as bit, null::smallint as of_column
            from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
              and has_table_privilege('authenticated', c.oid, 'delete')
          union all
          select distinct c.oid, 'INSERT', 4, null::smallint from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
              and has_column_privilege('authenticated', c.oid, a.attnum, 'insert')
          union all
          select c.oid, 'UPDATE', 16, a.attnum from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
              and has_column_privilege('authenticated', c.oid, a.attnum, 'update')
        )
        select distinct g.of_table::regclass || ' ' || g.command as name from granted g
        where not exists (
          select from pg_trigger t where t.tgrelid = g.of_table
            and t.tgfoid in ('private.count_quota()'::regprocedure, 'private.refuse_spent()'::regprocedure)
            -- Bit 2: BEFORE.
            and t.tgtype & 2 > 0 and t.tgtype & g.bit > 0 and (g.of_column is null or cardinality(t.tgattr::smallint[]) = 0 or g.of_column = any (t.tgattr::smallint[]))
        ) order by 1`)
      expect(open.map(({ name }) => name)).toEqual(WITHOUT_TRIGGER)
    })

    test('writes into no table, also not one without such a trigger', async () => {
      const { ada, rae } = cast().members
      const { ids, keys } = cast()
      const before = await allRows()
      await setState(ada, 'suspended')
      const [full_path, feed_path, grid_path] = keys.spare
      const attempts = {
        like: ada.client.from('likes').insert({ user_id: ada.id, post_id: ids.secondPost }),
        profile: ada.client.from('profiles').update({ bio: 'Still here' }).eq('id', ada.id),
        reaction: ada.client
          .from('message_reactions')
          .insert({ message_id: ids.message, member_id: ada.id, emoji: '👍' }),
        unfollow: ada.client.from('follows').delete().eq('following_id', ada.id),
        activity: ada.client.from('activity').insert({ user_id: ada.id }),
        block: ada.client.from('blocks').insert({ blocker_id: ada.id, blocked_id: rae.id }),
        photo: ada.client.from('post_media').insert({
          user_id: ada.id,
          post_id: ids.secondPost,
          position: 1,
          full_path,
          feed_path,
          grid_path,
          width: 1,
          height: 1,
        }),
      }
      for (const [name, attempt] of Object.entries(attempts)) {
        const { error } = await attempt
        expect([name, error?.code]).toEqual([name, expect.stringMatching(/^(PT403|42501)$/)])
      }
      expect(await allRows()).toEqual(before)
    })

    test('reads the own state, and why', async () => {
      const { ada } = cast().members
      const own = async () => rowsOf(await ada.client.rpc('my_state'))
      expect(await own()).toEqual([{ state: 'active', until: null, reason: null }])
      await setState(ada, 'suspended', `'2100-01-01'`)
      // On PostgreSQL lite answers with the driver's form of a time.
      const until = expect.stringMatching(/^2100-01-01[T ]00:00:00\+00/)
      expect(await own()).toEqual([{ state: 'suspended', until, reason: 'Spam' }])
      await setState(ada, 'suspended', 'now()')
      expect(await own()).toEqual([{ state: 'active', until: null, reason: null }])
    })

    test('reads the own rows that a download has, and nothing of others', async () => {
      const { ada } = cast().members
      const tables = (await cast().server.query(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and has_table_privilege('authenticated', oid, 'select') order by 1`,
      )) as { name: string }[]
      const own = ([table, filter]: string[]) => {
        const rows = ada.client.from(String(table)).select()
        return filter === undefined ? rows : rows.or(filter.replaceAll('.me', `.${ada.id}`))
      }
      const { id } = ada
      const { ids, members } = cast()
      await cast().server.query('insert into public.likes (user_id, post_id) values ($1, $2)', [
        id,
        ids.secondPost,
      ])
      await cast().server.query('insert into public.saved_posts (user_id, post_id) values ($1, $2)', [
        id,
        ids.post,
      ])
      await cast().server.query(`insert into public.hashtag_follows (follower_id, tag) values ($1, 'weir')`, [
        id,
      ])
      await cast().server.query('update public.profiles set is_private = true where id = $1', [
        members.fay.id,
      ])
      await cast().server.query(
        'insert into public.follow_requests (requester_id, target_id) values ($1, $2)',
        [id, members.fay.id],
      )
      const rows = async (query: string[]) =>
        rowsOf(await own(query))
          .map((row) => JSON.stringify(row))
          .toSorted()
      const before = new Map<string, unknown[]>()
      for (const [table, filter] of Object.entries(OWN_ROWS)) before.set(table, await rows([table, filter]))
      await setState(ada, 'suspended')
      for (const { name } of tables)
        expect([name, await rows([name])]).toEqual([name, before.get(name) ?? []])
      expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([])
    })

    test('gets from functions what an ended session gets, and the own state, sessions and unused objects', async () => {
      const { ada } = cast().members
      await setState(ada, 'suspended')
      const shown: string[] = []
      for (const [name, args] of Object.entries(CALLS)) {
        if ([...REFUSED, ...ALLOWED, ...MAY_BE_EMPTY].includes(name)) continue
        const { data, error } = await ada.client.rpc(name, args(cast()))
        if (error !== null)
          expect([name, error.code]).toEqual([name, expect.stringMatching(/^(PT403|PT401|42501)$/)])
        else if (!NOTHING.some((nothing) => JSON.stringify(nothing) === JSON.stringify(data)))
          shown.push(name)
      }
      expect(shown).toEqual(OWN_FUNCTIONS)
    })

    test('may leave and sign out', async () => {
      const { server } = cast()
      const moe = await signUp(server, 'moe')
      await setState(moe, 'suspended')
      expectDone(await moe.client.rpc('end_session', { session: crypto.randomUUID() }))
      expectDone(await moe.client.rpc('answer_sign_in', { sign_in: crypto.randomUUID(), was_me: true }))
      expect((await moe.client.rpc('clear_account')).data).toBe(true)
      expectDone(await moe.client.rpc('delete_account'))
      expect(await server.query('select 1 from auth.users where id = $1', [moe.id])).toEqual([])
      expect(
        await server.query('select 1 from private.member_states where member_id = $1', [moe.id]),
      ).toEqual([])
    })
  })

  test('a role is looked up at each use; there is one owner, and a suspended one has none', async () => {
    const { server, members } = cast()
    const { ada, ben } = members
    const roles = () => server.query('select member_id, role from private.staff order by role')
    await server.query(`select private.appoint('Ada', 'owner')`)
    await server.query(`select private.appoint('ben', 'owner')`)
    expect(await roles()).toEqual([
      { member_id: ada.id, role: 'moderator' },
      { member_id: ben.id, role: 'owner' },
    ])
    await expect(server.query(`select private.appoint('nobody.here', 'moderator')`)).rejects.toThrow(
      /no such account/,
    )
    const roleOf = async (member: Member) => {
      const [session] = await server.query('select id from auth.sessions where user_id = $1', [member.id])
      const [row] = await server.query(
        `select set_config('request.jwt.claim.sub', $1, true), set_config('request.jwt.claims', $2, true), private.staff_role() as role`,
        [member.id, JSON.stringify({ sub: member.id, session_id: session?.id })],
      )
      return row?.role
    }
    expect(await roleOf(ben)).toBe('owner')
    expect(await roleOf(members.rae)).toBe(null)
    await setState(ben, 'suspended')
    expect(await roleOf(ben)).toBe(null)
    await server.query('delete from private.member_states')
    await server.query('delete from private.staff')
  })
}
