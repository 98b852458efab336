import { beforeEach, describe, expect, test } from 'vitest'
import { expectDone, expectInvalid, expectRefused, rowsOf } from '#tests/supabase/rights/answers'
import { type Cast, PICTURE } from '#tests/supabase/rights/cast'

/** Content of a private account that only its followers can see, beyond the single rows of the matrix. */
export function describePrivateAccount(cast: () => Cast): void {
  describe('a private account', () => {
    beforeEach(() => cast().restore('private'))

    test('SET-04 shows strangers its profile and counters, but no posts', async () => {
      const { sid, ada } = cast().members
      const profile = await sid.client
        .from('profiles')
        .select('username,is_private,post_count,follower_count,following_count')
        .eq('id', ada.id)
      expect(rowsOf(profile)).toEqual([
        { username: 'ada', is_private: true, post_count: 2, follower_count: 2, following_count: 0 },
      ])
      const head = { count: 'exact', head: true } as const
      for (const [table, column] of [
        ['posts', 'user_id'],
        ['stories', 'user_id'],
        ['follows', 'following_id'],
      ] as const) {
        const counted = await sid.client.from(table).select('*', head).eq(column, ada.id)
        expect([table, counted.error, counted.count]).toEqual([table, null, 0])
      }
    })

    test('SET-04 is not visible in embedded rows', async () => {
      const { sid, ada, ben } = cast().members
      const fromAda = await sid.client
        .from('profiles')
        .select(
          `posts!posts_user_id_fkey(id), counted:posts!posts_user_id_fkey(count), stories(id),
           followers:follows!follows_following_id_fkey(follower_id), tags:posts!posts_user_id_fkey(post_tags(post_id))`,
        )
        .eq('id', ada.id)
      expect(rowsOf(fromAda)).toEqual([
        { posts: [], counted: [{ count: 0 }], stories: [], followers: [], tags: [] },
      ])
      const fromBen = await sid.client
        .from('profiles')
        .select(
          `likes(post_id), comments(content), story_views(story_id), saved_posts(post_id),
           following:follows!follows_follower_id_fkey(following_id)`,
        )
        .eq('id', ben.id)
      expect(rowsOf(fromBen)).toEqual([
        { likes: [], comments: [], story_views: [], saved_posts: [], following: [] },
      ])
    })

    test('SET-04 cannot be inferred from filters or sorting on hidden rows', async () => {
      const { sid } = cast().members
      const byPost = await sid.client
        .from('profiles')
        .select('username,posts!posts_user_id_fkey!inner(id)')
        .like('posts.content', '%weir%')
      expect(rowsOf(byPost)).toEqual([])
      const byComment = await sid.client
        .from('profiles')
        .select('username,comments!inner(id)')
        .eq('comments.content', 'That light')
      expect(rowsOf(byComment)).toEqual([])
      const ordered = await sid.client
        .from('posts')
        .select('id,author:profiles!posts_user_id_fkey(username)')
        .order('author(username)')
      expect(rowsOf(ordered)).toEqual([])
    })

    test('SET-04 is fully visible to an approved follower in the feed request', async () => {
      const { fay, ada } = cast().members
      const feed = await fay.client
        .from('posts')
        .select(
          `content, author:profiles!posts_user_id_fkey(username), like_count, comment_count,
           my_like:likes(user_id), all_likes:likes(count)`,
        )
        .eq('user_id', ada.id)
        .eq('my_like.user_id', fay.id)
        .order('created_at')
      expect(rowsOf(feed)).toMatchObject([
        {
          author: { username: 'ada' },
          like_count: 1,
          comment_count: 1,
          my_like: [],
          all_likes: [{ count: 1 }],
        },
        { content: 'The same weir at noon', like_count: 0, comment_count: 1 },
      ])
    })

    test('SET-04 is hidden from a removed follower, except their own likes and comments', async () => {
      const { ada, ben, fay } = cast().members
      const { ids } = cast()
      expectDone(await fay.client.from('likes').insert({ post_id: ids.post, user_id: fay.id }))
      expectDone(await ada.client.from('follows').delete().eq('follower_id', ben.id))
      for (const table of ['posts', 'post_tags', 'stories']) {
        expect([table, rowsOf(await ben.client.from(table).select())]).toEqual([table, []])
      }
      for (const table of ['likes', 'comments']) {
        const left = await ben.client.from(table).select('user_id,post:posts(id,content)')
        expect([table, rowsOf(left)]).toEqual([table, [{ user_id: ben.id, post: null }]])
      }
      const saved = await ben.client.from('saved_posts').select('post_id,post:posts(id,content)')
      expect(rowsOf(saved)).toEqual([{ post_id: ids.post, post: null }])
      expectRefused(
        await ben.client.from('comments').insert({ post_id: ids.post, user_id: ben.id, content: 'And me?' }),
      )
    })

    test('SET-04 becoming private hides posts and stories that strangers saved, liked, commented on and viewed', async () => {
      await cast().restore('public')
      const { ada, sid, fay } = cast().members
      const { ids } = cast()
      const onPost = { post_id: ids.post, user_id: sid.id }
      for (const table of ['likes', 'saved_posts']) expectDone(await sid.client.from(table).insert(onPost))
      expectDone(await sid.client.from('comments').insert({ ...onPost, content: 'From outside' }))
      expectDone(await sid.client.from('story_views').insert({ story_id: ids.story, viewer_id: sid.id }))
      expectDone(await ada.client.from('profiles').update({ is_private: true }).eq('id', ada.id))
      for (const [table, column] of [
        ['posts', 'id'],
        ['likes', 'post_id'],
        ['comments', 'post_id'],
        ['post_tags', 'post_id'],
      ] as const) {
        const shown = rowsOf(await sid.client.from(table).select().eq(column, ids.post))
        const left = table === 'likes' || table === 'comments' ? [sid.id] : []
        expect([table, shown.map((row) => row.user_id)]).toEqual([table, left])
      }
      const saved = await sid.client.from('saved_posts').select('post:posts(id,thumbnail_url)')
      expect(rowsOf(saved)).toEqual([{ post: null }])
      const seen = await sid.client.from('story_views').select('story:stories(id,media_url)')
      expect(rowsOf(seen)).toEqual([{ story: null }])
      // Followers remain, and see the comments of the stranger.
      const comments = await fay.client.from('comments').select('content').eq('user_id', sid.id)
      expect(rowsOf(comments)).toEqual([{ content: 'From outside' }])
    })

    test('FEED-11 SET-04 strangers can remove likes and comments from before it became private', async () => {
      await cast().restore('public')
      const { ada, sid, tim } = cast().members
      const { ids } = cast()
      const onPost = { post_id: ids.post, user_id: sid.id }
      expectDone(await sid.client.from('likes').insert(onPost))
      expectDone(await sid.client.from('comments').insert({ ...onPost, content: 'From outside' }))
      expectDone(await ada.client.from('profiles').update({ is_private: true }).eq('id', ada.id))

      // Each member can remove only their own rows.
      const comments = async () =>
        cast().server.query`select id, user_id from public.comments where post_id = ${ids.post}`
      const others = (await comments()).filter(({ user_id }) => user_id !== sid.id)
      expect(others).not.toEqual([])
      expect(
        rowsOf(
          await sid.client.from('likes').delete().eq('post_id', ids.post).neq('user_id', sid.id).select(),
        ),
      ).toEqual([])
      expect(
        rowsOf(await sid.client.from('likes').delete().eq('post_id', ids.post).select('user_id')),
      ).toEqual([{ user_id: sid.id }])
      expectDone(await sid.client.rpc('delete_comments', { ids: (await comments()).map(({ id }) => id) }))
      expect(await comments()).toEqual(others)
      expect(
        rowsOf(await tim.client.from('post_tags').delete().eq('tagged_user_id', tim.id).select()),
      ).toMatchObject([{ post_id: ids.post, tagged_user_id: tim.id }])
      const counted = await ada.client.from('posts').select('like_count,comment_count').eq('id', ids.post)
      expect(rowsOf(counted)).toEqual([{ like_count: 1, comment_count: 1 }])
      expectRefused(await sid.client.from('likes').insert(onPost))
    })

    test('SET-04 search and mentions show only the profile', async () => {
      const { ada, sid, fay } = cast().members
      const found = await sid.client.rpc('search_profiles', { query: 'ada' })
      expect(rowsOf(found)).toEqual([
        { id: ada.id, username: 'ada', full_name: 'Ada Example', avatar_url: null, avatar_path: null },
      ])
      const mention = { id: crypto.randomUUID(), user_id: fay.id, content: 'Thank you, @ada' }
      expectDone(await fay.client.from('posts').insert(mention))
      const tags = await sid.client
        .from('posts')
        .select('post_tags(profiles!post_tags_tagged_user_id_fkey(username))')
        .eq('id', mention.id)
      expect(rowsOf(tags)).toEqual([{ post_tags: [] }])
      expect(rowsOf(await ada.client.from('post_tags').select('post_id').eq('post_id', mention.id))).toEqual([
        { post_id: mention.id },
      ])
    })

    test('SET-04 PROF-04 rejects a follow with PT403 and accepts a request', async () => {
      const { sid, ada } = cast().members
      const follow = { follower_id: sid.id, following_id: ada.id }
      expect((await sid.client.from('follows').insert(follow)).error?.code).toBe('PT403')
      const upserted = await sid.client.from('follows').upsert(follow, { ignoreDuplicates: true })
      expect(upserted.error?.code).toBe('PT403')
      const request = { requester_id: sid.id, target_id: ada.id }
      expectDone(await sid.client.from('follow_requests').insert(request))
      expectInvalid(await sid.client.from('follow_requests').insert(request))
      expect(rowsOf(await sid.client.from('posts').select('id').eq('user_id', ada.id))).toEqual([])
      const notifications = await ada.client
        .from('notifications')
        .select('type,message')
        .eq('actor_id', sid.id)
      expect(rowsOf(notifications)).toMatchObject([{ type: 'other', message: expect.stringMatching(/\w/) }])
    })

    test('SET-04 becomes visible only to the requester whose request is accepted', async () => {
      const { ada, rae, sid } = cast().members
      expectDone(await ada.client.rpc('accept_follow_request', { requester: rae.id }))
      expect(rowsOf(await rae.client.from('posts').select('id').eq('user_id', ada.id))).toHaveLength(2)
      expect(rowsOf(await ada.client.from('follow_requests').select())).toEqual([])
      expect(rowsOf(await sid.client.from('posts').select('id').eq('user_id', ada.id))).toEqual([])
    })

    test('SET-04 a new post or story of a private account is visible only to followers', async () => {
      const { ada, sid } = cast().members
      expectDone(await ada.client.from('posts').insert({ user_id: ada.id, content: 'Only for you' }))
      const story = { user_id: ada.id, media_url: PICTURE, media_type: 'image' }
      expectDone(await ada.client.from('stories').insert(story))
      for (const table of ['posts', 'stories']) {
        expect(rowsOf(await sid.client.from(table).select('id').eq('user_id', ada.id))).toEqual([])
      }
    })

    test('PROF-08 only followers can see the posts in which a private member is tagged', async () => {
      const { tim, sid, ben, fay } = cast().members
      await cast().restore('public')
      const tagsOfTim = async (member: typeof tim) =>
        rowsOf(await member.client.from('post_tags').select('post_id').eq('tagged_user_id', tim.id))
      expect(await tagsOfTim(sid)).toHaveLength(1)
      expectDone(await fay.client.from('follows').insert({ follower_id: fay.id, following_id: tim.id }))
      expectDone(await tim.client.from('profiles').update({ is_private: true }).eq('id', tim.id))
      expect(await tagsOfTim(sid)).toEqual([])
      expect(await tagsOfTim(ben)).toEqual([])
      expect(await tagsOfTim(fay)).toHaveLength(1)
      expect(await tagsOfTim(tim)).toHaveLength(1)
      const indirectRequest = await sid.client
        .from('posts')
        .select('id,post_tags(tagged_user_id)')
        .eq('id', cast().ids.post)
      expect(rowsOf(indirectRequest)).toEqual([{ id: cast().ids.post, post_tags: [] }])
    })

    test('PROF-12 others see a follow only if they may see both accounts', async () => {
      const { sid, tim, fay } = cast().members
      await cast().restore('public')
      const follows = async () => rowsOf(await sid.client.from('follows').select('follower_id'))
      expect(await follows()).toHaveLength(2)
      expectDone(await fay.client.from('profiles').update({ is_private: true }).eq('id', fay.id))
      expect(await follows()).toHaveLength(1)
      const seenByTim = rowsOf(
        await tim.client.from('follows').select('follower_id').eq('follower_id', fay.id),
      )
      expect(seenByTim).toEqual([])
    })
  })
}
