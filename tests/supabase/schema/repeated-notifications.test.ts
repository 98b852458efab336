import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')
const shy = await community.join('shy', { isPrivate: true })
const post = await community.post(ada, 'a post')
beforeEach(async () => {
  for (const table of [
    'likes',
    'follows',
    'follow_requests',
    'notifications',
    'private.withdrawn_notifications',
  ]) {
    await community.sql(`delete from ${table}`)
  }
})

/** An action that a member does and undoes repeatedly, and the recipient of its notification. */
interface RepeatedAction {
  recipient: () => string
  act: () => Promise<unknown>
  undo: () => Promise<unknown>
}

const REPEATED_ACTIONS: [string, RepeatedAction][] = [
  [
    'FEED-08 a like',
    {
      recipient: () => ada,
      act: () => community.as(ben)`insert into likes (post_id, user_id) values (${post}, ${ben})`,
      undo: () => community.as(ben)`delete from likes where post_id = ${post}`,
    },
  ],
  [
    'PROF-04 a follow',
    {
      recipient: () => ada,
      act: () => community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${ada})`,
      undo: () => community.as(ben)`delete from follows where following_id = ${ada}`,
    },
  ],
  [
    'SET-04 a request',
    {
      recipient: () => shy,
      act: () =>
        community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${shy})`,
      undo: () => community.as(ben)`delete from follow_requests where target_id = ${shy}`,
    },
  ],
]

const notificationsOf = (member: string) =>
  community.as(member)`select id, actor_id, read, created_at::text from notifications
    where user_id = ${member}`
const rememberedActions = async () =>
  (await community.sql('select kind, subject_id from private.withdrawn_notifications')).length
/** Moves all rows back in time. */
async function age(interval: string): Promise<void> {
  for (const table of ['likes', 'follows', 'follow_requests', 'notifications']) {
    await community.sql(`update ${table} set created_at = created_at - interval '${interval}'`)
  }
  await community.sql(
    `update private.withdrawn_notifications set notified_at = notified_at - interval '${interval}'`,
  )
}

describe.each(REPEATED_ACTIONS)('%s that is undone and repeated', (_, { recipient, act, undo }) => {
  test('has the same notification each time, unread until it is read', async () => {
    await act()
    const [first] = await notificationsOf(recipient())
    expect(first).toMatchObject({ actor_id: ben, read: false })
    for (const read of [false, true, true]) {
      if (read) await community.as(recipient(), 'update notifications set read = true where not read')
      for (let round = 0; round < 3; round += 1) {
        await undo()
        expect(await notificationsOf(recipient())).toEqual([])
        await act()
        expect(await notificationsOf(recipient())).toEqual([{ ...first, read }])
      }
    }
  })

  test('creates no notification for a day after the recipient has deleted it', async () => {
    await act()
    await community.as(recipient(), 'delete from notifications')
    for (let round = 0; round < 3; round += 1) {
      await undo()
      await act()
      expect(await notificationsOf(recipient())).toEqual([])
    }
    await age('25 hours')
    await undo()
    await act()
    expect(await notificationsOf(recipient())).toMatchObject([{ read: false }])
  })

  test('counts that day from the notification, even if the action is repeated meanwhile', async () => {
    await act()
    await community.as(recipient(), 'delete from notifications')
    await undo()
    await age('23 hours')
    await act()
    await undo()
    await age('2 hours')
    await act()
    expect(await notificationsOf(recipient())).toMatchObject([{ read: false }])
  })

  test('creates a new notification at most once a day', async () => {
    await act()
    await community.as(recipient(), 'update notifications set read = true')
    await undo()
    await age('23 hours')
    await act()
    const [again] = await notificationsOf(recipient())
    expect(again).toMatchObject({ read: true })
    await undo()
    await age('2 hours')
    await act()
    const [next] = await notificationsOf(recipient())
    expect(next).toMatchObject({ read: false })
    expect(next?.id).not.toBe(again?.id)
  })

  test('is not remembered longer than a day', async () => {
    await act()
    await age('25 hours')
    await undo()
    expect(await rememberedActions()).toBe(0)
    await act()
    await undo()
    expect(await rememberedActions()).toBe(1)
    await age('25 hours')
    expect(await community.sql('select private.cleanup(1000) as gone')).toEqual([{ gone: 1 }])
    expect(await rememberedActions()).toBe(0)
  })
})

test('each new entry removes several old ones, for servers without scheduled cleanup', async () => {
  await community.sql`
    insert into private.withdrawn_notifications (actor_id, recipient_id, kind, subject_id, read, notified_at)
     select ${ben}, ${ada}, 'like', gen_random_uuid(), true, now() - interval '2 days' from generate_series(1, 30)`
  const posts = await Promise.all([1, 2, 3].map((n) => community.post(ada, `number ${n}`)))
  for (const remaining of [11, 2, 3]) {
    const id = posts.pop()
    await community.as(ben)`insert into likes (post_id, user_id) values (${id}, ${ben})`
    await community.as(ben)`delete from likes where post_id = ${id}`
    expect(await rememberedActions()).toBe(remaining)
  }
})

test('SET-03 FEED-11 forgets the actions on a deleted post or account', async () => {
  const [gone, liker] = [await community.join('gone'), await community.join('liker')]
  const theirs = await community.post(gone, 'soon gone')
  const like = 'insert into likes (post_id, user_id) values ($1, $2)'
  await community.as(liker, like, [theirs, liker])
  await community.as(gone)`select delete_posts(array[${theirs}]::uuid[])`
  expect(await rememberedActions()).toBe(0)
  await community.as(gone, like, [post, gone])
  await community.as(liker)`insert into follows (follower_id, following_id) values (${liker}, ${gone})`
  await community.as(liker)`delete from follows where follower_id = ${liker}`
  expect(await rememberedActions()).toBe(1)
  await community.as(gone, 'select delete_account()')
  expect(await rememberedActions()).toBe(0)
  expect(await notificationsOf(ada)).toEqual([])
})

test('SAFE-01 a like that a block removed also creates a new notification at most once a day', async () => {
  const like = () => community.as(ben)`insert into likes (post_id, user_id) values (${post}, ${ben})`
  await like()
  await community.as(ada, 'update notifications set read = true')
  await community.as(ada)`select block_members(array[${ben}]::uuid[])`
  expect(await notificationsOf(ada)).toEqual([])
  await community.as(ada)`delete from blocks where blocker_id = ${ada}`
  await like()
  expect(await notificationsOf(ada)).toMatchObject([{ read: true }])
})
