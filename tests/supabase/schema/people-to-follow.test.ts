import { beforeEach, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, mia: me, ada, ben, cleo } = await openCommunity('mia', 'ada', 'ben', 'cleo')
const shy = await community.join('shy', { isPrivate: true })

const follow = (follower: string, following: string) =>
  community.as(follower)`insert into follows (follower_id, following_id) values (${follower}, ${following})`
const suggested = async (member = me) =>
  (await community.as(member, 'select * from people_to_follow()')).map(
    ({ username, followed_by, followed_by_count }) =>
      followed_by === null ? username : `${username} by ${followed_by}, ${followed_by_count}`,
  )

beforeEach(() =>
  community.pg.exec(
    'delete from follows; delete from follow_requests; delete from blocks; delete from mutes',
  ),
)

test('FEED-02 suggests the authors of the newest public posts, then the newest public accounts', async () => {
  expect(await suggested()).toEqual(['cleo', 'ben', 'ada'])
  const post = await community.post(ada, 'the first')
  expect(await suggested()).toEqual(['ada', 'cleo', 'ben'])
  await community.sql`delete from posts where id = ${post}`
})

test('FEED-02 suggests first the accounts that followed members follow, and names the member followed last', async () => {
  const dora = await community.join('dora')
  for (const friend of [ben, cleo]) {
    await follow(me, friend)
    await follow(friend, ada)
  }
  await follow(cleo, dora)
  expect(await suggested()).toEqual(['ada by cleo, 2', 'dora by cleo, 1'])
  await community.sql`delete from auth.users where id = ${dora}`
})

test('FEED-02 suggests no private account, although a followed member follows it', async () => {
  await follow(me, ben)
  await community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${shy})`
  await community.as(shy)`select accept_follow_request(${ben})`
  expect(await suggested()).toEqual(['cleo', 'ada'])
})

test('FEED-02 SAFE-01 SAFE-02 suggests nobody who is followed, blocked or muted, and no member because a muted one follows them', async () => {
  await follow(me, ben)
  await follow(ben, ada)
  expect(await suggested()).toEqual(['ada by ben, 1', 'cleo'])
  await community.as(me)`insert into mutes (muter_id, muted_id) values (${me}, ${ben})`
  expect(await suggested()).toEqual(['cleo', 'ada'])
  await community.as(me)`insert into mutes (muter_id, muted_id) values (${me}, ${ada})`
  await community.as(cleo)`select block_members(array[${me}]::uuid[])`
  expect(await suggested()).toEqual([])
  expect(await suggested(cleo)).not.toContain('mia')
})
