import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')
const shy = await community.join('shy', { isPrivate: true })
const post = await community.post(ada, 'a post')
beforeEach(async () => {
  for (const table of ['likes', 'follows', 'follow_requests', 'notifications', 'private.taken_back']) {
    await community.sql(`delete from ${table}`)
  }
})

/** One who tells again and again, whom they tell, and how they take it back. */
interface Repeated {
  recipient: () => string
  tell: () => Promise<unknown>
  takeBack: () => Promise<unknown>
}

const REPEATED: [string, Repeated][] = [
  [
    'FEED-08 a like',
    {
      recipient: () => ada,
      tell: () => community.as(ben, 'insert into likes (post_id, user_id) values ($1, $2)', [post, ben]),
      takeBack: () => community.as(ben, 'delete from likes where post_id = $1', [post]),
    },
  ],
  [
    'PROF-04 a follow',
    {
      recipient: () => ada,
      tell: () =>
        community.as(ben, 'insert into follows (follower_id, following_id) values ($1, $2)', [ben, ada]),
      takeBack: () => community.as(ben, 'delete from follows where following_id = $1', [ada]),
    },
  ],
  [
    'SET-04 a request',
    {
      recipient: () => shy,
      tell: () =>
        community.as(ben, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
          ben,
          shy,
        ]),
      takeBack: () => community.as(ben, 'delete from follow_requests where target_id = $1', [shy]),
    },
  ],
]

const toldTo = (member: string) =>
  community.as(member, 'select id, actor_id, read, created_at::text from notifications where user_id = $1', [
    member,
  ])
const kept = async () => (await community.sql('select kind, thing from private.taken_back')).length
/** As if all that was done here had happened so long ago. */
async function age(interval: string): Promise<void> {
  for (const table of ['likes', 'follows', 'follow_requests', 'notifications']) {
    await community.sql(`update ${table} set created_at = created_at - interval '${interval}'`)
  }
  await community.sql(`update private.taken_back set told_at = told_at - interval '${interval}'`)
}

describe.each(REPEATED)('%s that is taken back and given again', (_, { recipient, tell, takeBack }) => {
  test('is one notification, the same, and unread until it was read', async () => {
    await tell()
    const [first] = await toldTo(recipient())
    expect(first).toMatchObject({ actor_id: ben, read: false })
    for (const read of [false, true, true]) {
      if (read) await community.as(recipient(), 'update notifications set read = true where not read')
      for (let turn = 0; turn < 3; turn += 1) {
        await takeBack()
        expect(await toldTo(recipient())).toEqual([])
        await tell()
        expect(await toldTo(recipient())).toEqual([{ ...first, read }])
      }
    }
  })

  test('stays away for the day when it was thrown away', async () => {
    await tell()
    await community.as(recipient(), 'delete from notifications')
    for (let turn = 0; turn < 3; turn += 1) {
      await takeBack()
      await tell()
      expect(await toldTo(recipient())).toEqual([])
    }
    await age('25 hours')
    await takeBack()
    await tell()
    expect(await toldTo(recipient())).toMatchObject([{ read: false }])
  })

  test('is news once a day, counted from when it was told', async () => {
    await tell()
    await community.as(recipient(), 'update notifications set read = true')
    await takeBack()
    await age('23 hours')
    await tell()
    const [again] = await toldTo(recipient())
    expect(again).toMatchObject({ read: true })
    await takeBack()
    await age('2 hours')
    await tell()
    const [news] = await toldTo(recipient())
    expect(news).toMatchObject({ read: false })
    expect(news?.id).not.toBe(again?.id)
  })

  test('of which nothing is kept longer than a day', async () => {
    await tell()
    await age('25 hours')
    await takeBack()
    expect(await kept()).toBe(0)
    await tell()
    await takeBack()
    expect(await kept()).toBe(1)
    await age('25 hours')
    expect(await community.sql('select private.remove_leftovers() as gone')).toEqual([{ gone: 1 }])
    expect(await kept()).toBe(0)
  })
})

test('old ones go with new ones, faster than these come, where nothing runs on a schedule', async () => {
  await community.sql(
    `insert into private.taken_back (actor_id, recipient_id, kind, thing, read, told_at)
     select $1, $2, 'like', gen_random_uuid(), true, now() - interval '2 days' from generate_series(1, 30)`,
    [ben, ada],
  )
  const posts = await Promise.all([1, 2, 3].map((n) => community.post(ada, `number ${n}`)))
  for (const left of [11, 2, 3]) {
    const id = posts.pop()
    await community.as(ben, 'insert into likes (post_id, user_id) values ($1, $2)', [id, ben])
    await community.as(ben, 'delete from likes where post_id = $1', [id])
    expect(await kept()).toBe(left)
  }
})

test('SET-03 FEED-11 nothing is kept of a deleted post or account', async () => {
  const [gone, liker] = [await community.join('gone'), await community.join('liker')]
  const theirs = await community.post(gone, 'soon gone')
  const like = 'insert into likes (post_id, user_id) values ($1, $2)'
  await community.as(liker, like, [theirs, liker])
  await community.as(gone, 'delete from posts where id = $1', [theirs])
  expect(await kept()).toBe(0)
  await community.as(gone, like, [post, gone])
  await community.as(liker, 'insert into follows (follower_id, following_id) values ($1, $2)', [liker, gone])
  await community.as(liker, 'delete from follows where follower_id = $1', [liker])
  expect(await kept()).toBe(1)
  await community.as(gone, 'select delete_account()')
  expect(await kept()).toBe(0)
  expect(await toldTo(ada)).toEqual([])
})

test('SAFE-01 what a block has ended is told no more than once a day either', async () => {
  const like = () => community.as(ben, 'insert into likes (post_id, user_id) values ($1, $2)', [post, ben])
  await like()
  await community.as(ada, 'update notifications set read = true')
  await community.as(ada, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [ada, ben])
  expect(await toldTo(ada)).toEqual([])
  await community.as(ada, 'delete from blocks where blocker_id = $1', [ada])
  await like()
  expect(await toldTo(ada)).toMatchObject([{ read: true }])
})
