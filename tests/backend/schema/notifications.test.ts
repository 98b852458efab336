import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BADGE_MAX } from '#/shared/limits'
import { type Community, openCommunity, refusal } from './support/community'

let community: Community
let ada: string
let ben: string
let post: string

beforeAll(async () => {
  community = await openCommunity()
  ada = await community.join('ada')
  ben = await community.join('ben')
  post = await community.post(ada, 'a post')
})
afterAll(() => community.close())
beforeEach(() => community.sql('delete from notifications'))

const like = (member: string) =>
  community.as(member, 'insert into likes (post_id, user_id) values ($1, $2)', [post, member])
const unlike = (member: string) =>
  community.as(member, 'delete from likes where post_id = $1 and user_id = $2', [post, member])
const notificationsOf = (member: string) =>
  community.as(
    member,
    'select type, actor_id, post_id, message, read from notifications where user_id = $1 order by created_at',
    [member],
  )

describe('notifications', () => {
  test('FEED-08 a like makes one, taking it back removes it, liking again makes one', async () => {
    await like(ben)
    const one = { type: 'like', actor_id: ben, post_id: post, message: null, read: false }
    expect(await notificationsOf(ada)).toEqual([one])
    await unlike(ben)
    expect(await notificationsOf(ada)).toEqual([])
    await like(ben)
    expect(await notificationsOf(ada)).toEqual([one])
    await unlike(ben)
  })

  test('FEED-08 a comment makes one, which goes with its comment', async () => {
    const [comment] = await community.as(
      ben,
      `insert into comments (post_id, user_id, content) values ($1, $2, 'nice') returning id`,
      [post, ben],
    )
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'comment', actor_id: ben, post_id: post }])
    await community.as(ben, 'delete from comments where id = $1', [comment?.id])
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('FEED-07 a comment that fails makes none', async () => {
    await expect(
      community.as(ben, `insert into comments (post_id, user_id, content) values ($1, $2, '  ')`, [
        post,
        ben,
      ]),
    ).rejects.toEqual(refusal('23514'))
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('FEED-08 nobody is told of their own likes and comments', async () => {
    await like(ada)
    await community.as(ada, `insert into comments (post_id, user_id, content) values ($1, $2, 'mine')`, [
      post,
      ada,
    ])
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('PROF-04 a follow makes one, gone when it is taken back', async () => {
    await community.as(ben, 'insert into follows (follower_id, following_id) values ($1, $2)', [ben, ada])
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'follow', actor_id: ben, post_id: null }])
    await community.as(ben, 'delete from follows where follower_id = $1', [ben])
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('SET-04 a request to follow says so in words, and goes when withdrawn, declined or accepted', async () => {
    const secret = await community.join('secret', { isPrivate: true })
    const ask = () =>
      community.as(ben, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
        ben,
        secret,
      ])
    const asked = { type: 'other', actor_id: ben, post_id: null, message: 'asked to follow you', read: false }
    await ask()
    expect(await notificationsOf(secret)).toEqual([asked])
    await community.as(ben, 'delete from follow_requests where requester_id = $1', [ben])
    expect(await notificationsOf(secret)).toEqual([])
    await ask()
    await community.as(secret, 'delete from follow_requests where target_id = $1', [secret])
    expect(await notificationsOf(secret)).toEqual([])
    await ask()
    await community.as(secret, 'select accept_follow_request($1)', [ben])
    expect(await notificationsOf(secret)).toMatchObject([{ type: 'follow', actor_id: ben }])
  })

  test('STORY-06 a story view makes one for its owner, and only one', async () => {
    const [story] = await community.as(
      ada,
      `insert into stories (user_id, media_url, media_type) values ($1, 'data:image/png;base64,AAAA', 'image')
       returning id`,
      [ada],
    )
    const view = () =>
      community.as(ben, 'insert into story_views (story_id, viewer_id) values ($1, $2)', [story?.id, ben])
    await view()
    await expect(view()).rejects.toEqual(refusal('23505'))
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'story_view', actor_id: ben }])
  })

  test('no client makes one, not even about itself', async () => {
    await expect(
      community.as(
        ben,
        `insert into notifications (user_id, actor_id, type, message) values ($1, $2, 'other', 'buy!')`,
        [ada, ben],
      ),
    ).rejects.toEqual(refusal('42501'))
  })

  test('they are told in one transaction with what they tell of', async () => {
    await community.pg.transaction(async (tx) => {
      await tx.query('insert into likes (post_id, user_id) values ($1, $2)', [post, ben])
      await tx.rollback()
    })
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('NOTE-02 the bell counts unread ones up to where it says 9+', async () => {
    const unread = async () => (await community.as(ada, 'select unread_notifications() as unread'))[0]
    expect(await unread()).toEqual({ unread: 0 })
    await like(ben)
    expect(await unread()).toEqual({ unread: 1 })
    await community.sql(
      `insert into notifications (user_id, actor_id, type, message)
       select $1, $2, 'other', n::text from generate_series(1, 30) as n`,
      [ada, ben],
    )
    expect(await unread()).toEqual({ unread: BADGE_MAX + 1 })
    await community.as(ada, 'update notifications set read = true where user_id = $1 and not read', [ada])
    expect(await unread()).toEqual({ unread: 0 })
  })
})
