import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const { community, ben, cleo } = await openCommunity('ben', 'cleo')

const follow = (follower: string, following: string) =>
  community.as(follower)`insert into follows (follower_id, following_id) values (${follower}, ${following})`
const ask = (requester: string, target: string) =>
  community.as(requester)`insert into follow_requests (requester_id, target_id)
    values (${requester}, ${target})`
const accept = (target: string, requester: string) =>
  community.as(target)`select accept_follow_request(${requester})`
const setPrivate = (member: string, isPrivate: boolean) =>
  community.as(member)`update profiles set is_private = ${isPrivate} where id = ${member}`
describe('SET-04 a private account', () => {
  test('rejects accepting a request for another member, or twice', async () => {
    const shut = await community.join('shut', { isPrivate: true })
    await ask(ben, shut)
    await expect(accept(ben, ben)).rejects.toEqual(refusal('PT404'))
    await expect(accept(cleo, ben)).rejects.toEqual(refusal('PT404'))
    await accept(shut, ben)
    await expect(accept(shut, ben)).rejects.toEqual(refusal('PT404'))
  })

  test('accepts no requests from its followers, nor does a public account', async () => {
    const kept = await community.join('kept')
    await expect(ask(ben, kept)).rejects.toEqual(refusal('PT409'))
    await follow(ben, kept)
    await setPrivate(kept, true)
    await expect(ask(ben, kept)).rejects.toEqual(refusal('PT409'))
  })

  test('shows likes of comments only to who may read the post, also those of the own comment', async () => {
    const kept = await community.join('quiet')
    await follow(ben, kept)
    const post = await community.post(kept, 'Hello')
    const [comment] = await community.as(ben)`insert into comments (post_id, user_id, content)
      values (${post}, ${ben}, 'Where is it?') returning id`
    const like = (member: string) =>
      community.as(member)`insert into comment_likes (comment_id, user_id) values (${comment?.id}, ${member})`
    const likes = async () => {
      const rows = await community.as(
        ben,
      )`select user_id from comment_likes where comment_id = ${comment?.id}`
      return rows.map(({ user_id }) => user_id)
    }
    await like(ben)
    await like(kept)
    expect((await likes()).sort()).toEqual([ben, kept].sort())
    await setPrivate(kept, true)
    await community.as(kept)`delete from follows where follower_id = ${ben}`
    expect(await community.as(ben)`select from comments where id = ${comment?.id}`).toHaveLength(1)
    expect(await likes()).toEqual([ben])
  })

  test('shows its follows and tags only to its followers', async () => {
    const hush = await community.join('hush', { isPrivate: true })
    await follow(hush, cleo)
    const post = await community.post(cleo, 'with @hush')
    const lists = async (viewer: string) => {
      const [row] = await community.as(viewer)`
        select (select count(*) from follows where follower_id = ${hush}) as following,
           (select count(*) from post_tags where tagged_user_id = ${hush} and post_id = ${post}) as tagged`
      return row
    }
    expect(await lists(ben)).toEqual({ following: 0, tagged: 0 })
    await ask(ben, hush)
    await accept(hush, ben)
    expect(await lists(ben)).toEqual({ following: 1, tagged: 1 })
    // Cleo sees the follow because she is its target, not because she follows.
    expect(await lists(cleo)).toEqual({ following: 1, tagged: 0 })
  })
})
