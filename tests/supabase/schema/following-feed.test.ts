import { beforeAll, describe, expect, test } from 'vitest'
import { FEED_PAGE } from '#/shared/limits'
import { openOwnCommunity } from './support/community'
import { addCrowd, addPosts, addPostsOf } from './support/crowd'

const { community, keen, calm, quiet, loner } = await openOwnCommunity('keen', 'calm', 'quiet', 'loner')

/** Posts that a search passes over before it looks up each followed member. */
const PASSED_OVER = 500

const follow = (follower: string, ...followed: string[]) =>
  community.sql`insert into follows (follower_id, following_id)
    select ${follower}, unnest(${followed}::uuid[]) on conflict do nothing`

beforeAll(async () => {
  // Half of the crowd, whose members post in turn.
  await addCrowd(community, keen)
  await addPosts(community, keen, 1, 300)
  await addPostsOf(community, quiet, 20)
  // Later than all others, and by somebody that keen does not follow.
  const [stranger] = await community.sql(`select id from profiles where username = 'crowd.1'`)
  await community.sql`insert into posts (user_id, content, created_at)
     select ${stranger?.id}, 'later', timestamptz '2026-02-01' + n * interval '1 minute' from generate_series(1, ${PASSED_OVER + 100}::integer) as n`
  await follow(calm, quiet, keen)
})

interface Row {
  id: string
  created_at: unknown
}

/** All pages that the member gets, one after another. */
async function readAll(member: string): Promise<string[]> {
  const ids: string[] = []
  let after: Row | null = null
  for (;;) {
    const page = (await community.as(member)`select id, created_at
      from following_posts(${after?.created_at ?? null}, ${after?.id ?? null})
      order by created_at desc, id desc`) as unknown as Row[]
    ids.push(...page.map(({ id }) => id))
    after = page.at(-1) ?? null
    if (page.length < FEED_PAGE) return ids
  }
}

/** The same posts, read without a limit as the member. */
async function readAtOnce(member: string): Promise<unknown[]> {
  const rows = await community.as(member)`select id from posts
     where user_id = ${member} or user_id in (select following_id from follows where follower_id = ${member})
     order by created_at desc, id desc`
  return rows.map(({ id }) => id)
}

describe('FEED-13 the pages of the feed of followed members', () => {
  test.each([
    ['many, with many posts of others in between', () => keen, 150],
    ['few, among them private accounts', () => calm, 20],
    ['nobody, and has posted', () => quiet, 20],
    ['nobody', () => loner, 0],
  ])('of a member who follows %s have each post once, newest first', async (_follows, member, count) => {
    const expected = await readAtOnce(member())
    expect(expected).toHaveLength(count)
    expect(await readAll(member())).toEqual(expected)
  })

  test('have posts of the same time once each', async () => {
    const twins = await community.join('twins')
    await community.sql`insert into posts (user_id, content, created_at)
      select ${twins}, 'same', timestamptz '2026-03-01' from generate_series(1, 20)`
    const fan = await community.join('fan')
    await follow(fan, twins)
    const ids = await readAll(fan)
    expect(ids).toHaveLength(20)
    expect(ids).toEqual(await readAtOnce(fan))
  })

  test('have what a private account shows its followers, and nothing once the follow ends', async () => {
    const [shy, friend] = [await community.join('shy', { isPrivate: true }), await community.join('friend')]
    const post = await community.post(shy, 'For friends')
    await community.as(friend)`insert into follow_requests (requester_id, target_id)
      values (${friend}, ${shy})`
    expect(await readAll(friend)).toEqual([])
    await community.as(shy)`select accept_follow_request(${friend})`
    expect(await readAll(friend)).toEqual([post])
    await community.as(shy)`select block_members(array[${friend}]::uuid[])`
    expect(await readAll(friend)).toEqual([])
  })
})
