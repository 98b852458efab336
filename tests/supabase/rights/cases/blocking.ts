import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, rowsOf } from '#tests/supabase/rights/answers'
import type { Cast } from '#tests/supabase/rights/cast'
import { block, type Connections, restoreConnected, unblock } from '#tests/supabase/rights/connections'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { parse } from '#tests/supabase/rights/parse'
import { curl, tokenOf } from '#tests/supabase/rights/raw'

/** Tables that members can read, except those in which two members who cannot see each other may share a row. */
const READABLE = parse(EXPECTED)
  .map(({ table }) => table)
  .filter((table) => table !== 'reports')
const STAY = ['blocks', 'conversation_members', 'conversations', 'message_reactions', 'messages']

/** Requests for a member by id or name; each returns the username unless there is a block. */
function requestsFor(hidden: { id: string; username: string }, things: Connections): string[] {
  const { id, username } = hidden
  const who = (key: string) => `${key}(username)`
  return [
    `profiles?id=eq.${id}`,
    `profiles?username=eq.${username}`,
    `profiles?full_name=ilike.*example*&select=username`,
    `profiles?or=(username.eq.${username},id.eq.${id})&select=username,post_count,follower_count`,
    `profiles?select=username,posts!posts_user_id_fkey!inner(id)`,
    `profiles?select=username,likes!inner(post_id)&likes.post_id=eq.${things.bystanders}`,
    `profiles?select=username,activity(last_active_at)&id=eq.${id}`,
    `posts?select=id,${who('profiles!posts_user_id_fkey')}`,
    `posts?select=id,${who('author:profiles!posts_user_id_fkey')}&order=author(username)`,
    `posts?select=likes(${who('profiles!likes_user_id_fkey')}),comments(content,${who('profiles!comments_user_id_fkey')})&id=eq.${things.bystanders}`,
    `posts?select=post_tags(${who('profiles!post_tags_tagged_user_id_fkey')})&id=eq.${things.bystanders}`,
    `likes?select=${who('profiles!likes_user_id_fkey')}`,
    `comments?select=content,${who('profiles!comments_user_id_fkey')}`,
    `post_tags?select=${who('profiles!post_tags_tagged_user_id_fkey')}`,
    `stories?select=id,${who('profiles!stories_user_id_fkey')}`,
    `follows?select=${who('a:profiles!follows_follower_id_fkey')},${who('b:profiles!follows_following_id_fkey')}`,
    `notifications?select=type,${who('profiles!notifications_actor_id_fkey')}`,
    `mutes?select=${who('profiles!mutes_muted_id_fkey')}`,
    `conversations?select=id,${who('a:profiles!conversations_participant_1_fkey')},${who('b:profiles!conversations_participant_2_fkey')}`,
    `messages?select=id,${who('s:profiles!messages_sender_id_fkey')},${who('r:profiles!messages_recipient_id_fkey')}`,
    `rpc/search_profiles?query=${username}`,
    `rpc/search_profiles?query=example`,
    // Of a bystander: posts of muted members are left out.
    `rpc/search_posts?query=here&select=id,post_tags(${who('profiles!post_tags_tagged_user_id_fkey')})`,
    `rpc/known_usernames?names=${username}`,
    `rpc/muted_members`,
    `rpc/my_conversations?select=id,${who('a:profiles!conversations_participant_1_fkey')},${who('b:profiles!conversations_participant_2_fkey')}`,
  ]
}

/** Filters on tables with which rows of a member could be counted. */
function countsOf(id: string): [table: string, filter: string][] {
  return [
    ['profiles', `id=eq.${id}`],
    ['posts', `user_id=eq.${id}`],
    ['likes', `user_id=eq.${id}`],
    ['comments', `user_id=eq.${id}`],
    ['post_tags', `tagged_user_id=eq.${id}`],
    ['stories', `user_id=eq.${id}`],
    ['follows', `or=(follower_id.eq.${id},following_id.eq.${id})`],
    ['notifications', `actor_id=eq.${id}`],
    ['mutes', `muted_id=eq.${id}`],
    ['activity', `user_id=eq.${id}`],
  ]
}

/** A block hides both members from each other. */
export function describeBlocking(cast: () => Cast): void {
  let things: Connections
  const nameIn = (text: string, username: string) => new RegExp(`"${username}"`).test(text)

  describe('a blocked member and the blocker', () => {
    beforeEach(async () => {
      things = await restoreConnected(cast())
    })

    // Ada blocks; each of the two in turn is the one who looks.
    for (const [seer, hidden] of [
      ['ben', 'ada'],
      ['ada', 'ben'],
    ] as const) {
      const role = seer === 'ben' ? 'the blocked' : 'the blocker'

      test(`SAFE-01 ${role} sees no row with the id of the other in any table`, async () => {
        const { members } = cast()
        const tablesNaming = async () => {
          const naming = []
          for (const table of READABLE) {
            const rows = rowsOf(await members[seer].client.from(table).select())
            if (JSON.stringify(rows).includes(members[hidden].id)) naming.push(table)
          }
          return naming
        }
        const before = await tablesNaming()
        expect(before).toEqual(
          READABLE.filter(
            (table) =>
              ![
                'follow_requests',
                'blocks',
                'conversation_views',
                'message_media',
                'saved_posts',
                'hashtag_follows',
              ].includes(table),
          ),
        )
        await block(cast(), 'ada', 'ben')
        const left = STAY.filter((table) => seer === 'ada' || table !== 'blocks')
        expect((await tablesNaming()).toSorted()).toEqual(left)
      })

      test(`SAFE-01 ${role} cannot find the other with any filter, embed or function`, async () => {
        const token = await tokenOf(cast(), seer)
        const other = cast().members[hidden]
        const open = async () => {
          const found = []
          for (const door of requestsFor(other, things)) {
            const answer = await curl(cast(), `/rest/v1/${door}`, {}, token)
            expect([door, answer.status]).toEqual([door, 200])
            if (nameIn(await answer.text(), other.username)) found.push(door)
          }
          return found
        }
        expect(await open()).toEqual(requestsFor(other, things))
        await block(cast(), 'ada', 'ben')
        expect(await open()).toEqual([])
      })

      test(`SAFE-01 ${role} cannot count rows of the other`, async () => {
        const token = await tokenOf(cast(), seer)
        const counts = async () => {
          const counted: Record<string, string | null> = {}
          for (const [table, filter] of countsOf(cast().members[hidden].id)) {
            const init = { method: 'HEAD', headers: { prefer: 'count=exact' } }
            const answer = await curl(cast(), `/rest/v1/${table}?${filter}`, init, token)
            counted[table] = answer.headers.get('content-range')?.split('/')[1] ?? null
          }
          return counted
        }
        expect(Object.values(await counts())).not.toContain('0')
        await block(cast(), 'ada', 'ben')
        expect([...new Set(Object.values(await counts()))]).toEqual(['0'])
        const embedded = await cast()
          .members[seer].client.from('posts')
          .select('likes(count),comments(count),post_tags(count)')
          .eq('id', things.bystanders)
        // Their own and Sid's; of the tags, their own.
        expect(rowsOf(embedded)).toEqual([
          { likes: [{ count: 2 }], comments: [{ count: 2 }], post_tags: [{ count: 1 }] },
        ])
      })
    }

    test('SAFE-01 removes follows, likes and comments between the two, with their counts and notifications', async () => {
      const { server, members } = cast()
      const { ada, ben } = members
      await block(cast(), 'ada', 'ben')
      const tables = await server.query(`select relname as name from pg_catalog.pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'`)
      const joined = []
      for (const { name } of tables) {
        const sql = `select 1 from public.${name} t where t::text like $1 and t::text like $2 limit 1`
        const rows = await server.query(sql, [`%${ada.id}%`, `%${ben.id}%`])
        if (rows.length > 0) joined.push(name)
      }
      const naming = [...STAY, 'mutes'].filter(
        (name) => !/^(conversation_members|message_reactions)$/.test(name),
      )
      expect(joined.toSorted()).toEqual(naming.toSorted())
      const left = await server.query(
        `select 1 from public.posts p
         where p.user_id = any ($1) and (
           exists (select from public.likes where post_id = p.id and user_id = any ($1) and user_id <> p.user_id)
           or exists (select from public.comments where post_id = p.id and user_id = any ($1) and user_id <> p.user_id)
           or exists (select from public.saved_posts where post_id = p.id and user_id = any ($1) and user_id <> p.user_id)
           or exists (
             select from public.post_tags
             where post_id = p.id and tagged_user_id = any ($1) and tagged_user_id <> p.user_id
           ))
         union all select 1 from public.story_views v join public.stories s on s.id = v.story_id
         where v.viewer_id = any ($1) and s.user_id = any ($1)`,
        [[ada.id, ben.id]],
      )
      expect(left).toEqual([])
      const counts = await server.query`select username, follower_count, following_count from public.profiles
        where id = any (${[ada.id, ben.id]}) order by 1`
      expect(counts).toEqual([
        { username: 'ada', follower_count: 2, following_count: 1 },
        { username: 'ben', follower_count: 1, following_count: 1 },
      ])
      const onPosts = await server.query`select like_count, comment_count from public.posts
        where id = any (${Object.values(things.posts)})`
      expect(onPosts).toEqual([
        { like_count: 0, comment_count: 0 },
        { like_count: 0, comment_count: 0 },
      ])
    })

    test('SAFE-01 changes nothing for others: they see both members and correct counts', async () => {
      await block(cast(), 'ada', 'ben')
      const { sid, ada, ben } = cast().members
      const post = await sid.client
        .from('posts')
        .select('like_count,comment_count,likes(user_id),comments(content),post_tags(tagged_user_id)')
        .eq('id', things.bystanders)
        .order('created_at', { referencedTable: 'comments' })
      const [row] = rowsOf(post)
      expect(row).toMatchObject({
        like_count: 3,
        comment_count: 3,
        comments: [{ content: 'Ada was here' }, { content: 'Ben was here' }, { content: 'Sid was here' }],
      })
      expect(row?.likes).toHaveLength(3)
      expect(row?.post_tags).toHaveLength(2)
      expect(rowsOf(await sid.client.from('profiles').select('id').in('id', [ada.id, ben.id]))).toHaveLength(
        2,
      )
    })

    test('SAFE-01 hides earlier notifications about the other', async () => {
      const { ada, ben } = cast().members
      const unread = async (client: typeof ada.client) => (await client.rpc('unread_notifications')).data
      // A mute would hide them already.
      await cast().server.query`delete from public.mutes where muter_id = ${ada.id}`
      const { data } = await ada.client.from('notifications').select('actor_id').eq('read', false)
      const ofOthers = (data ?? []).filter(({ actor_id }) => actor_id !== ben.id).length
      const before = Number(await unread(ada.client))
      expect([before > ofOthers, before < 10]).toEqual([true, true])
      await block(cast(), 'ada', 'ben')
      expect(await unread(ada.client)).toBe(ofOthers)
      // One that came in the same moment as the block.
      await cast().server.query`insert into public.notifications (user_id, actor_id, type, message)
        values (${ada.id}, ${ben.id}, 'other', 'psst')`
      expect(await unread(ada.client)).toBe(ofOthers)
      expect(rowsOf(await ada.client.from('notifications').select().eq('actor_id', ben.id))).toEqual([])
    })

    test('SAFE-01 also hides actions of the other at the moment of the block', async () => {
      const { server, ids, members } = cast()
      const { ada, ben } = members
      await block(cast(), 'ada', 'ben')
      for (const sql of [
        'insert into public.likes (post_id, user_id) values ($1, $2)',
        `insert into public.comments (post_id, user_id, content) values ($1, $2, 'Just in time')`,
        'insert into public.saved_posts (post_id, user_id) values ($1, $2)',
      ]) {
        await server.query(sql, [ids.post, ben.id])
      }
      await server.query`insert into public.story_views (story_id, viewer_id)
        values (${ids.story}, ${ben.id})`
      for (const [table, column] of [
        ['likes', 'user_id'],
        ['comments', 'user_id'],
        ['story_views', 'viewer_id'],
        ['notifications', 'actor_id'],
      ] as const) {
        expect([table, rowsOf(await ada.client.from(table).select().eq(column, ben.id))]).toEqual([table, []])
      }
      const left = await ben.client
        .from('saved_posts')
        .select('post:posts(id,author:profiles!posts_user_id_fkey(username))')
      expect(rowsOf(left)).toEqual([{ post: null }])
      const own = await ben.client.from('comments').select('content,post:posts(id)').eq('post_id', ids.post)
      expect(rowsOf(own)).toEqual([{ content: 'Just in time', post: null }])
    })

    test('SAFE-01 only the blocker can see the block, and it is deleted with the blocked account', async () => {
      const { ada, ben, sid } = cast().members
      await block(cast(), 'ada', 'ben')
      for (const { client } of [ben, sid]) {
        expect(rowsOf(await client.from('blocks').select())).toEqual([])
        expect((await client.from('blocks').select('*', { count: 'exact', head: true })).count).toBe(0)
        expect(rowsOf(await client.rpc('blocked_members'))).toEqual([])
        const about = await client
          .from('profiles')
          .select('blocks!blocks_blocked_id_fkey(count),mutes!mutes_muted_id_fkey(count)')
          .in('id', [ben.id, sid.id])
        const nothing = { blocks: [{ count: 0 }], mutes: [{ count: 0 }] }
        // Both have muted Sid, and Ben counts only his own mute.
        expect(rowsOf(about)).toEqual(
          client === ben.client
            ? expect.arrayContaining([nothing, { ...nothing, mutes: [{ count: 1 }] }])
            : [nothing, nothing],
        )
        expectDone(await client.from('blocks').delete().eq('blocker_id', ada.id))
      }
      const embedded = await ada.client
        .from('blocks')
        .select('blocked:profiles!blocks_blocked_id_fkey(username)')
      expect(rowsOf(embedded)).toEqual([{ blocked: null }])
      expect(rowsOf(await ada.client.rpc('blocked_members'))).toEqual([
        {
          id: ben.id,
          username: 'ben',
          full_name: 'Ben Example',
          avatar_url: null,
          avatar_path: null,
          created_at: expect.any(String),
        },
      ])
    })

    test('SAFE-04 unblocking makes both visible again without restoring removed rows', async () => {
      const { ada, ben } = cast().members
      await block(cast(), 'ada', 'ben')
      await unblock(cast(), 'ada', 'ben')
      expect(rowsOf(await ben.client.from('profiles').select('username').eq('id', ada.id))).toHaveLength(1)
      expect(rowsOf(await ada.client.from('posts').select('id').eq('user_id', ben.id))).toHaveLength(1)
      const follows = await ben.client.from('follows').select('following_id').eq('follower_id', ben.id)
      expect(rowsOf(follows)).not.toContainEqual({ following_id: ada.id })
      expectDone(await ben.client.from('follows').insert({ follower_id: ben.id, following_id: ada.id }))
      const content = 'Better now'
      expectDone(
        await ben.client
          .from('messages')
          .insert({ conversation_id: things.conversation, sender_id: ben.id, content }),
      )
    })

    test('SAFE-01 a block removes a follow request to a private account, which can no longer be accepted', async () => {
      await cast().restore('private')
      const { ada, rae } = cast().members
      await block(cast(), 'ada', 'rae')
      for (const { client } of [ada, rae]) {
        expect(rowsOf(await client.from('follow_requests').select())).toEqual([])
      }
      expect((await ada.client.rpc('accept_follow_request', { requester: rae.id })).error?.code).toBe('PT404')
      await unblock(cast(), 'ada', 'rae')
      expectDone(await ada.client.from('profiles').update({ is_private: false }).eq('id', ada.id))
      const follows = await cast().server.query`select 1 from public.follows where follower_id = ${rae.id}`
      expect(follows).toEqual([])
    })
  })
}
