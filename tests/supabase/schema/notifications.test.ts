import { beforeEach, describe, expect, test } from 'vitest'
import { BADGE_MAX } from '#/shared/limits'
import { openCommunity, refusal } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')
const post = await community.post(ada, 'a post')
beforeEach(async () => {
  await community.sql('delete from notifications')
  await community.sql('delete from private.withdrawn_notifications')
})

const like = (member: string) =>
  community.as(member)`insert into likes (post_id, user_id) values (${post}, ${member})`
const unlike = (member: string) =>
  community.as(member)`delete from likes where post_id = ${post} and user_id = ${member}`
const notificationsOf = (member: string) =>
  community.as(member)`select type, actor_id, post_id, message, read from notifications
    where user_id = ${member} order by created_at`

describe('notifications', () => {
  test('FEED-08 a like creates one, an unlike removes it, and another like creates it again', async () => {
    await like(ben)
    const one = { type: 'like', actor_id: ben, post_id: post, message: null, read: false }
    expect(await notificationsOf(ada)).toEqual([one])
    await unlike(ben)
    expect(await notificationsOf(ada)).toEqual([])
    await like(ben)
    expect(await notificationsOf(ada)).toEqual([one])
    await unlike(ben)
  })

  test('FEED-08 a comment creates one, which is deleted with the comment', async () => {
    const [comment] = await community.as(ben)`insert into comments (post_id, user_id, content)
      values (${post}, ${ben}, 'nice') returning id`
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'comment', actor_id: ben, post_id: post }])
    await community.as(ben)`select delete_comments(array[${comment?.id}]::uuid[])`
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('FEED-08 members get none for their own likes and comments', async () => {
    await like(ada)
    await community.as(ada)`insert into comments (post_id, user_id, content) values (${post}, ${ada}, 'mine')`
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('PROF-04 a follow creates one, and an unfollow removes it', async () => {
    await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${ada})`
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'follow', actor_id: ben, post_id: null }])
    await community.as(ben)`delete from follows where follower_id = ${ben}`
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('SET-04 a follow request creates one with a message, removed when it is withdrawn, declined or accepted', async () => {
    const secret = await community.join('secret', { isPrivate: true })
    const ask = () =>
      community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${secret})`
    const requested = {
      type: 'other',
      actor_id: ben,
      post_id: null,
      message: 'asked to follow you',
      read: false,
    }
    await ask()
    expect(await notificationsOf(secret)).toEqual([requested])
    await community.as(ben)`delete from follow_requests where requester_id = ${ben}`
    expect(await notificationsOf(secret)).toEqual([])
    await ask()
    await community.as(secret)`delete from follow_requests where target_id = ${secret}`
    expect(await notificationsOf(secret)).toEqual([])
    await ask()
    await community.as(secret)`select accept_follow_request(${ben})`
    expect(await notificationsOf(secret)).toMatchObject([{ type: 'follow', actor_id: ben }])
  })

  test('SET-04 an accepted request creates one for the requester, removed when either side ends the follow', async () => {
    const shy = await community.join('shy', { isPrivate: true })
    const askAndAccept = async () => {
      await community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${shy})`
      expect(await notificationsOf(ben)).toEqual([])
      await community.as(shy)`select accept_follow_request(${ben})`
    }
    const accepted = {
      type: 'other',
      actor_id: shy,
      post_id: null,
      message: 'accepted your request to follow',
      read: false,
    }
    for (const ender of [ben, shy]) {
      await askAndAccept()
      expect(await notificationsOf(ben)).toEqual([accepted])
      expect(await community.as(ben, 'select about from notifications')).toEqual([
        { about: 'follow_accepted' },
      ])
      await community.as(ender)`delete from follows where follower_id = ${ben} and following_id = ${shy}`
      expect(await notificationsOf(ben)).toEqual([])
    }
  })

  test('SET-04 going public creates one for every requester, but not for existing followers', async () => {
    const host = await community.join('host', { isPrivate: true })
    const [cleo, fan] = [await community.join('cleo'), await community.join('fan')]
    const ask = (member: string) =>
      community.as(member)`insert into follow_requests (requester_id, target_id) values (${member}, ${host})`
    await ask(fan)
    await community.as(host)`select accept_follow_request(${fan})`
    await community.sql('delete from notifications')
    await ask(ben)
    await ask(cleo)
    await community.as(host)`update profiles set is_private = false where id = ${host}`
    for (const member of [ben, cleo]) {
      expect(await notificationsOf(member)).toMatchObject([
        { type: 'other', actor_id: host, message: 'accepted your request to follow' },
      ])
    }
    expect(await notificationsOf(fan)).toEqual([])
    expect((await notificationsOf(host)).map(({ type }) => type)).toEqual(['follow', 'follow'])
  })

  test('SET-04 a declined or withdrawn request creates none for the requester', async () => {
    const closed = await community.join('closed', { isPrivate: true })
    for (const ender of [closed, ben]) {
      await community.as(ben)`insert into follow_requests (requester_id, target_id)
        values (${ben}, ${closed})`
      await community.as(ender)`delete from follow_requests where target_id = ${closed}`
      expect(await notificationsOf(ben)).toEqual([])
    }
  })

  test('STORY-06 a story view creates exactly one for the owner', async () => {
    const [story] = await community.as(ada)`
      insert into stories (user_id, media_url, media_type) values (${ada}, 'data:image/png;base64,AAAA', 'image')
       returning id`
    const view = () =>
      community.as(ben)`insert into story_views (story_id, viewer_id) values (${story?.id}, ${ben})`
    await view()
    await expect(view()).rejects.toEqual(refusal('23505'))
    expect(await notificationsOf(ada)).toMatchObject([{ type: 'story_view', actor_id: ben }])
  })

  test('NOTE-02 the unread count stops at ten, which the bell shows as 9+', async () => {
    const unread = async () => (await community.as(ada, 'select unread_notifications() as unread'))[0]
    expect(await unread()).toEqual({ unread: 0 })
    await like(ben)
    expect(await unread()).toEqual({ unread: 1 })
    await community.sql`insert into notifications (user_id, actor_id, type, message)
       select ${ada}, ${ben}, 'other', n::text from generate_series(1, 30) as n`
    expect(await unread()).toEqual({ unread: BADGE_MAX + 1 })
    await community.as(ada)`update notifications set read = true where user_id = ${ada} and not read`
    expect(await unread()).toEqual({ unread: 0 })
  })
})
