import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')

async function countsOfPost(post: string) {
  const [row] = await community.sql`select like_count, comment_count from posts where id = ${post}`
  return row
}

async function countsOfMember(member: string) {
  const [row] = await community.sql`select post_count, follower_count, following_count from profiles
    where id = ${member}`
  return row
}

describe('counters', () => {
  test('count likes and comments that are added, removed and added in bulk', async () => {
    const first = await community.post(ada, 'first')
    const second = await community.post(ada, 'second')
    await community.as(ben)`insert into likes (post_id, user_id)
      values (${first}, ${ben}), (${second}, ${ben})`
    await community.as(cleo)`insert into likes (post_id, user_id) values (${first}, ${cleo})`
    await community.as(cleo)`insert into comments (post_id, user_id, content)
      values (${first}, ${cleo}, 'one'), (${first}, ${cleo}, 'two')`
    expect(await countsOfPost(first)).toEqual({ like_count: 2, comment_count: 2 })
    expect(await countsOfPost(second)).toEqual({ like_count: 1, comment_count: 0 })

    await community.as(ben)`delete from likes where user_id = ${ben}`
    await community.as(cleo)`select delete_comments(array(select id from comments where user_id = ${cleo}
      and content = 'two'))`
    expect(await countsOfPost(first)).toEqual({ like_count: 1, comment_count: 1 })
    expect(await countsOfPost(second)).toEqual({ like_count: 0, comment_count: 0 })
  })

  test('FEED-04 do not count a second like of the same post, which is rejected', async () => {
    const post = await community.post(ada, 'liked once')
    const like = () => community.as(ben)`insert into likes (post_id, user_id) values (${post}, ${ben})`
    await like()
    await expect(like()).rejects.toEqual(refusal('23505'))
    expect(await countsOfPost(post)).toMatchObject({ like_count: 1 })
  })

  test('PROF-02 count posts, followers and following', async () => {
    const dora = await community.join('dora')
    const post = await community.post(dora, 'hello')
    await community.post(dora, 'hello again')
    await community.as(dora)`insert into follows (follower_id, following_id)
      values (${dora}, ${ada}), (${dora}, ${ben})`
    await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${dora})`
    expect(await countsOfMember(dora)).toEqual({ post_count: 2, follower_count: 1, following_count: 2 })

    await community.as(dora)`select delete_posts(array[${post}]::uuid[])`
    await community.as(dora)`delete from follows where following_id = ${ada}`
    await community.as(dora)`delete from follows where follower_id = ${ben}`
    expect(await countsOfMember(dora)).toEqual({ post_count: 1, follower_count: 0, following_count: 1 })
  })

  test('do not change updated_at and edited_at', async () => {
    const post = await community.post(ada, 'quiet')
    const before = await community.sql`select updated_at from profiles where id = ${ada}`
    await community.as(ben)`insert into likes (post_id, user_id) values (${post}, ${ben})`
    await community.as(cleo)`insert into follows (follower_id, following_id) values (${cleo}, ${ada})`
    expect(await community.sql`select updated_at from profiles where id = ${ada}`).toEqual(before)
    expect(await community.sql`select edited_at from posts where id = ${post}`).toEqual([{ edited_at: null }])
  })

  test('go down on posts and profiles when a member who liked and followed deletes the account', async () => {
    const eli = await community.join('eli')
    const post = await community.post(ben, 'for eli')
    await community.as(eli)`insert into likes (post_id, user_id) values (${post}, ${eli})`
    await community.as(eli)`insert into comments (post_id, user_id, content) values (${post}, ${eli}, 'hm')`
    const before = await countsOfMember(ben)
    await community.as(eli)`insert into follows (follower_id, following_id) values (${eli}, ${ben})`
    await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${eli})`
    await community.as(eli, 'select delete_account()')
    expect(await countsOfPost(post)).toEqual({ like_count: 0, comment_count: 0 })
    expect(await countsOfMember(ben)).toEqual(before)
  })
})

describe('columns that only the database sets', () => {
  test.each([
    ['content', 'as it is'],
    ['location', null],
    ['alt_text', null],
  ])('PROF-13 sets edited_at when only %s changes, and not when it stays the same', async (column, same) => {
    const post = await community.post(ada, 'as it is')
    const update = (value: string | null) =>
      community.as(ada, `update posts set ${column} = $2 where id = $1`, [post, value])
    const edited = () => community.sql`select edited_at >= created_at as edited from posts where id = ${post}`
    await update(same)
    expect(await edited()).toEqual([{ edited: null }])
    await update('A lamp in the snow')
    expect(await edited()).toEqual([{ edited: true }])
  })

  test('updated_at is the time of the database, even if the client sends another', async () => {
    await community.as(ada)`update profiles set bio = 'new', updated_at = '2001-01-01' where id = ${ada}`
    const [row] = await community.sql`select updated_at > now() - interval '1 minute' as fresh from profiles
      where id = ${ada}`
    expect(row).toEqual({ fresh: true })
  })
})
