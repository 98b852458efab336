import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientWithToken, type Member, signUp, visitor } from '#tests/backend/support/members'
import { expectDone, rowsOf } from '#tests/supabase/rights/answers'
import { tryAll } from '#tests/supabase/rights/attempt'
import type { Cast } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { isEverDone, type Line, parse, type TableRights } from '#tests/supabase/rights/parse'
import { curl } from '#tests/supabase/rights/raw'

const TABLES = parse(EXPECTED)

/** Arguments of each function that members can call; the test fails if one is missing here. */
export const CALLS: Record<string, (cast: Cast) => Record<string, unknown>> = {
  accept_follow_request: ({ members }) => ({ requester: members.rae.id }),
  answer_sign_in: () => ({ sign_in: crypto.randomUUID(), was_me: true }),
  block_members: ({ members }) => ({ ids: [members.rae.id] }),
  blocked_members: () => ({}),
  clear_account: () => ({}),
  conversation_folders: () => ({}),
  count_topic_posts: () => ({ topic_kind: 'place', topic_name: 'Weir' }),
  create_post: () => ({ post_id: crypto.randomUUID(), content: 'After the end' }),
  delete_account: () => ({}),
  delete_comments: ({ ids }) => ({ ids: [ids.comment] }),
  delete_posts: ({ ids }) => ({ ids: [ids.post] }),
  delete_stories: ({ ids }) => ({ ids: [ids.story] }),
  edit_message: ({ ids }) => ({ message: ids.message, content: 'After the end' }),
  end_follow: ({ members }) => ({ follower: members.rae.id, following: members.ada.id }),
  end_session: () => ({ session: crypto.randomUUID() }),
  explore_posts: () => ({}),
  following_posts: () => ({}),
  known_usernames: () => ({ names: 'ada ben' }),
  mark_delivered: () => ({}),
  mark_read: ({ ids }) => ({ conversation: ids.conversation, until_at: 'infinity', until_id: ids.message }),
  media_in_storage: () => ({}),
  media_limit: () => ({}),
  muted_members: () => ({}),
  my_conversations: () => ({}),
  my_sessions: () => ({}),
  my_state: () => ({}),
  my_unused_objects: () => ({}),
  new_sign_ins: () => ({}),
  notification_groups: () => ({ before_at: 'infinity', before_id: crypto.randomUUID() }),
  people_to_follow: () => ({}),
  popular_hashtags: () => ({}),
  register_device: () => ({ device: crypto.randomUUID() }),
  renamed_to: () => ({ name: 'ada.before' }),
  search_messages: () => ({ query: 'message' }),
  search_posts: () => ({ query: 'post' }),
  search_profiles: () => ({ query: 'ben' }),
  search_topics: () => ({ query: 'weir' }),
  settle: () => ({}),
  signed_in_recently: () => ({}),
  touch_activity: () => ({}),
  unread_conversations: () => ({}),
  unread_groups: ({ ids }) => ({ of_groups: [ids.conversation] }),
  unread_notifications: () => ({}),
  unsend_message: ({ ids }) => ({ message: ids.message }),
}
/** Results that contain no data. */
export const NOTHING = [[], 0, false, null]

/** Tokens of ended sessions: their signature is valid for up to an hour, but they give no access. */
export function describeEndedSessions(cast: () => Cast): void {
  /** Signs the member in on another device and returns that device's token. */
  async function signInAgain({ email, password }: Member): Promise<string> {
    const device = visitor(cast().server)
    const { data, error } = await device.auth.signInWithPassword({ email, password })
    if (error !== null) throw error
    return data.session.access_token
  }

  /** Signs out the device of a token. */
  async function end(token: string): Promise<void> {
    const answer = await curl(cast(), '/auth/v1/logout?scope=local', { method: 'POST' }, token)
    expect(answer.status).toBe(204)
  }

  const clients = new Map<string, Promise<SupabaseClient>>()

  /** A client with the token of an ended session of this member; their other sessions still work. */
  function endedClientOf(member: Member): Promise<SupabaseClient> {
    const made = clients.get(member.id) ?? makeEnded(member)
    clients.set(member.id, made)
    return made
  }

  async function makeEnded(member: Member): Promise<SupabaseClient> {
    const token = await signInAgain(member)
    const client = clientWithToken(cast().server, token)
    expect(rowsOf(await client.from('profiles').select('id').eq('id', member.id))).toHaveLength(1)
    await end(token)
    return client
  }

  describe('AUTH-16 the token of an ended session', () => {
    beforeEach(() => cast().restore('private'))

    type Attempt = { role: 'owner' | 'other'; line: Line }

    /** Attempts that would be allowed with a valid session, one per line of the table; `npm run test:long` tries the rest. */
    function isEssential({ role, line }: Attempt): boolean {
      const { owner, other } = line.cells.private
      return role === 'owner' ? isEverDone(line) : other === true && owner !== true
    }

    async function tryEnded(rights: TableRights, attempts: Attempt[]): Promise<void> {
      const { table, people } = rights
      const { server, members } = cast()
      const allRows = () => server.query(`select t::text as row from public.${table} t order by 1`)
      const before = await allRows()
      for (const { role, line } of attempts) {
        const name = people[role]
        if (name === undefined) throw new Error(`Nobody is ${role} in ${table}`)
        const member = members[name]
        const client = await endedClientOf(member)
        const ended: Cast = { ...cast(), members: { ...members, [name]: { ...member, client } } }
        const { action } = line
        const outcomes = await tryAll(ended, rights, action, 'private', [role])
        expect([action, outcomes]).toEqual([action, { [role]: false }])
        expect(await allRows()).toEqual(before)
      }
    }

    for (const rights of TABLES) {
      const roles = (['owner', 'other'] as const).filter((role) => rights.people[role] !== undefined)
      const attempts = rights.lines.flatMap((line) => roles.map((role) => ({ role, line })))
      const title = `reads and writes no row of ${rights.table}`

      test(title, () => tryEnded(rights, attempts.filter(isEssential)))

      test(`${title} in any other way`, { tags: 'long' }, () =>
        tryEnded(
          rights,
          attempts.filter((attempt) => !isEssential(attempt)),
        ),
      )
    }

    test('gets no data from any function and changes nothing with one', async () => {
      const functions = await cast().server.query(`select p.proname as name from pg_catalog.pg_proc p
        where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
          and not has_function_privilege('anon', p.oid, 'execute')
          -- Columns of their tables.
          and p.proname !~ '^shown_'`)
      expect(functions.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted())
      const ended = await endedClientOf(cast().members.ada)
      for (const [name, args] of Object.entries(CALLS)) {
        const { data, error } = await ended.rpc(name, args(cast()))
        if (error !== null)
          expect([name, error.code]).toEqual([name, expect.stringMatching(/^(PT401|42501)$/)])
        else expect([name, NOTHING]).toEqual([name, expect.arrayContaining([data])])
      }
      expect(await cast().server.query`select 1 from auth.users where id = ${cast().members.ada.id}`).toEqual(
        [{ '?column?': 1 }],
      )
    })

    test('counts no rows and joins no private channel', async () => {
      const { members, ids, server } = cast()
      const ended = await endedClientOf(members.max)
      const { count } = await ended.from('messages').select('id', { count: 'exact', head: true })
      expect(count).toBe(0)
      const [topic] = await server.query(
        `select set_config('request.jwt.claim.sub', $1, true), set_config('request.jwt.claims', $2, true),
          private.may_join('room:' || $3 || ':0') as may_join`,
        [
          members.max.id,
          JSON.stringify({ sub: members.max.id, session_id: crypto.randomUUID() }),
          ids.conversation,
        ],
      )
      expect(topic?.may_join).toBe(false)
    })

    test('has no access with another member’s session id, or without one', async () => {
      const { server, members } = cast()
      const [session] = await server.query`select id from auth.sessions where user_id = ${members.ben.id}`
      for (const claims of [
        { sub: members.ada.id, session_id: session?.id },
        { sub: members.ada.id },
        { sub: members.ada.id, session_id: null },
      ]) {
        const [row] = await server.query`
          select set_config('request.jwt.claim.sub', ${members.ada.id}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
            private.is_member() as is_member, private.has_session() as has_session`
        expect([claims, row?.is_member, row?.has_session]).toEqual([claims, false, false])
      }
    })

    test('loses access when another device changes the password or signs out everywhere else', async () => {
      const { server } = cast()
      const ivy = await signUp(server, 'ivy')
      const first = await signInAgain(ivy)
      expectDone(await ivy.client.auth.updateUser({ password: 'another passphrase' }))
      const reads = async (token: string) =>
        rowsOf(await clientWithToken(server, token).from('profiles').select('id').eq('id', ivy.id)).length
      expect(await reads(first)).toBe(0)

      const second = await signInAgain({ ...ivy, password: 'another passphrase' })
      expect(await reads(second)).toBe(1)
      expectDone(await ivy.client.auth.signOut({ scope: 'others' }))
      expect(await reads(second)).toBe(0)
      expect(rowsOf(await ivy.client.from('profiles').select('id').eq('id', ivy.id))).toHaveLength(1)
      expectDone(await ivy.client.rpc('delete_account'))
    })

    test('loses access when the session reaches its time limit', async () => {
      const { server, members } = cast()
      const token = await signInAgain(members.sid)
      const client = clientWithToken(server, token)
      const session = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id
      expect(rowsOf(await client.from('posts').select('id').limit(1))).toEqual([])
      expect(rowsOf(await client.from('profiles').select('id').limit(1))).toHaveLength(1)
      await server.query`update auth.sessions set not_after = now() - interval '1 second'
        where id = ${session}`
      expect(rowsOf(await client.from('profiles').select('id').limit(1))).toEqual([])
    })

    test('is checked by a restrictive policy for every command on every public table', async () => {
      const open = await cast().server.query(`select c.relname from pg_catalog.pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
          select from pg_catalog.pg_policy p
          where p.polrelid = c.oid and not p.polpermissive and p.polcmd = '*'
            and p.polroles <@ array[0::oid, 'authenticated'::regrole::oid]
            and pg_get_expr(p.polqual, c.oid) ~ 'SELECT private\\.(is_member|has_session)\\(\\)'
            and pg_get_expr(p.polwithcheck, c.oid) ~ 'SELECT private\\.(is_member|has_session)\\(\\)'
        )`)
      expect(open).toEqual([])
    })
  })

  describe('AUTH-15 a recent sign-in', () => {
    beforeEach(() => cast().restore('public'))

    test('is required to delete the account: after ten minutes the password must be entered again', async () => {
      const { server } = cast()
      const jon = await signUp(server, 'jon')
      const [row] = await server.query`select id from auth.sessions where user_id = ${jon.id}`
      const age = (interval: string) =>
        server.query`update auth.sessions set created_at = now() - ${interval}::interval
          where id = ${row?.id}`
      await age('9 minutes 50 seconds')
      expect((await jon.client.rpc('signed_in_recently')).data).toBe(true)
      await age('10 minutes')
      expect((await jon.client.rpc('signed_in_recently')).data).toBe(false)
      expectDone(await jon.client.auth.refreshSession())
      for (const name of ['clear_account', 'delete_account'] as const) {
        const refused = await jon.client.rpc(name)
        expect([name, refused.error?.code, refused.status]).toEqual([name, 'PT428', 428])
      }
      expect(rowsOf(await jon.client.from('profiles').select('id').eq('id', jon.id))).toHaveLength(1)
      const { email, password } = jon
      expectDone(await jon.client.auth.signInWithPassword({ email, password }))
      expectDone(await jon.client.rpc('delete_account'))
      expect(await server.query`select 1 from auth.users where id = ${jon.id}`).toEqual([])
    })
  })

  describe('AUTH-15 the sessions of a member', () => {
    test('are listed for that member only, the current one first', async () => {
      const { server, members } = cast()
      const kim = await signUp(server, 'kim')
      await signInAgain(kim)
      const answer = await kim.client.rpc('my_sessions')
      expect(answer.error).toBeNull()
      const sessions: Record<string, unknown>[] = answer.data
      expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false])
      const stored = await server.query`select id from auth.sessions where user_id = ${kim.id}`
      expect(sessions.map(({ id }) => id).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
      expect(Object.keys(sessions[0] ?? {}).toSorted()).toEqual([
        'created_at',
        'id',
        'is_current',
        'last_used_at',
        'user_agent',
      ])
      const others: Record<string, unknown>[] = (await members.ben.client.rpc('my_sessions')).data
      expect(others.some(({ id }) => stored.some((one) => one.id === id))).toBe(false)
      expectDone(await kim.client.rpc('delete_account'))
    })
  })
}
