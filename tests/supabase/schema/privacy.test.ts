import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const { community, ben, cleo } = await openCommunity('ben', 'cleo')

const follow = (follower: string, following: string) =>
  community.as(follower, 'insert into follows (follower_id, following_id) values ($1, $2)', [
    follower,
    following,
  ])
const ask = (requester: string, target: string) =>
  community.as(requester, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
    requester,
    target,
  ])
const accept = (target: string, requester: string) =>
  community.as(target, 'select accept_follow_request($1)', [requester])
const setPrivate = (member: string, isPrivate: boolean) =>
  community.as(member, 'update profiles set is_private = $2 where id = $1', [member, isPrivate])
const sees = async (viewer: string, post: string) =>
  (await community.as(viewer, 'select id from posts where id = $1', [post])).length === 1

async function addStory(owner: string): Promise<unknown> {
  const [row] = await community.as(
    owner,
    `insert into stories (user_id, media_url, media_type) values ($1, 'data:image/png;base64,AAAA', 'image')
     returning id`,
    [owner],
  )
  return row?.id
}

describe('SET-04 a private account', () => {
  test('is followed after it accepts a request', async () => {
    const shy = await community.join('shy', { isPrivate: true })
    const post = await community.post(shy, 'for friends')
    await expect(follow(ben, shy)).rejects.toEqual(refusal('PT403'))
    await ask(ben, shy)
    expect(await sees(ben, post)).toBe(false)
    await accept(shy, ben)
    expect(await sees(ben, post)).toBe(true)
    expect(await sees(cleo, post)).toBe(false)
    expect(await community.sql('select * from follow_requests where target_id = $1', [shy])).toEqual([])
  })

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

  test('keeps its followers when it becomes private, and hides all its earlier posts and stories', async () => {
    const turn = await community.join('turn')
    const post = await community.post(turn, 'old')
    const story = await addStory(turn)
    await follow(ben, turn)
    const audiences = () =>
      community.sql(
        'select p.audience as post, s.audience as story from posts p, stories s where p.id = $1 and s.id = $2',
        [post, story],
      )
    expect(await audiences()).toEqual([{ post: 'public', story: 'public' }])
    await setPrivate(turn, true)
    expect(await audiences()).toEqual([{ post: 'followers', story: 'followers' }])
    expect([await sees(ben, post), await sees(cleo, post), await sees(turn, post)]).toEqual([
      true,
      false,
      true,
    ])
    const later = await community.post(turn, 'new')
    expect(await sees(cleo, later)).toBe(false)
  })

  test('accepts all requests when it becomes public', async () => {
    const open = await community.join('open', { isPrivate: true })
    const post = await community.post(open, 'hidden')
    await ask(ben, open)
    await ask(cleo, open)
    await setPrivate(open, false)
    const followers = await community.sql('select follower_id from follows where following_id = $1', [open])
    expect(followers.map((row) => row.follower_id).sort()).toEqual([ben, cleo].sort())
    expect(await community.sql('select * from follow_requests where target_id = $1', [open])).toEqual([])
    expect(await community.sql('select follower_count from profiles where id = $1', [open])).toEqual([
      { follower_count: 2 },
    ])
    expect(await sees(await community.join('anyone'), post)).toBe(true)
  })

  test('can remove a follower', async () => {
    const host = await community.join('host', { isPrivate: true })
    const post = await community.post(host, 'inside')
    await ask(ben, host)
    await accept(host, ben)
    await community.as(host, 'delete from follows where follower_id = $1 and following_id = $2', [ben, host])
    expect(await sees(ben, post)).toBe(false)
  })

  test('hides likes, comments and tags on its posts, except those by the viewer', async () => {
    const veil = await community.join('veil')
    const post = await community.post(veil, 'with @cleo')
    const other = await community.join('other')
    await community.as(ben, 'insert into likes (post_id, user_id) values ($1, $2)', [post, ben])
    await community.as(ben, `insert into comments (post_id, user_id, content) values ($1, $2, 'ah')`, [
      post,
      ben,
    ])
    await community.as(ben, 'insert into saved_posts (post_id, user_id) values ($1, $2)', [post, ben])
    const visibleRows = (viewer: string) =>
      community.as(
        viewer,
        `select (select count(*) from likes where post_id = $1) + (select count(*) from comments where post_id = $1)
           + (select count(*) from post_tags where post_id = $1) as rows`,
        [post],
      )
    expect(await visibleRows(ben)).toEqual([{ rows: 3 }])
    await setPrivate(veil, true)
    expect(await visibleRows(other)).toEqual([{ rows: 0 }])
    expect(await visibleRows(ben)).toEqual([{ rows: 2 }])
    expect(await visibleRows(cleo)).toEqual([{ rows: 1 }])
    expect(await visibleRows(veil)).toEqual([{ rows: 3 }])
    const saved =
      'select s.post_id, p.id from saved_posts s left join posts p on p.id = s.post_id where s.post_id = $1'
    expect(await community.as(ben, saved, [post])).toEqual([{ post_id: post, id: null }])
  })

  test('shows its follows and tags only to its followers', async () => {
    const hush = await community.join('hush', { isPrivate: true })
    await follow(hush, cleo)
    const post = await community.post(cleo, 'with @hush')
    const lists = async (viewer: string) => {
      const [row] = await community.as(
        viewer,
        `select (select count(*) from follows where follower_id = $1) as following,
           (select count(*) from post_tags where tagged_user_id = $1 and post_id = $2) as tagged`,
        [hush, post],
      )
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
