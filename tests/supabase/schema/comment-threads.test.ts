import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const { community, ada, ben, cem, eve } = await openCommunity('ada', 'ben', 'cem', 'eve')
let post = ''
beforeEach(async () => {
  for (const table of ['comments', 'blocks', 'mutes', 'private.withdrawn_notifications'])
    await community.sql(`delete from ${table}`)
  post = await community.post(ada, 'a post')
  await community.sql('delete from notifications')
})

async function comment(author: string, content: string, parent: string | null = null, on = post) {
  const [row] = await community.as(author)`insert into comments (post_id, user_id, content, parent_id)
    values (${on}, ${author}, ${content}, ${parent}) returning id`
  return String(row?.id)
}

const like = (member: string, id: string) =>
  community.as(member)`insert into comment_likes (comment_id, user_id) values (${id}, ${member})`

const unlike = (member: string, id: string) =>
  community.as(member)`delete from comment_likes where comment_id = ${id}`

async function countsOf(id: string) {
  const [row] = await community.sql`select like_count, reply_count from comments where id = ${id}`
  return [row?.like_count, row?.reply_count]
}

const commentCount = async () =>
  (await community.sql`select comment_count from posts where id = ${post}`)[0]?.comment_count

const typesOf = async (member: string) =>
  (
    await community.sql`select type, comment_id from notifications where user_id = ${member} order by type`
  ).map(({ type }) => type)

describe('FEED-15 replies', () => {
  test('are counted by their thread and their post, and a reply to a reply joins the thread', async () => {
    const thread = await comment(ben, 'Where?')
    const reply = await comment(ada, 'At the weir', thread)
    const second = await comment(cem, 'Upstream?', reply)
    const [row] = await community.sql`select parent_id from comments where id = ${second}`
    expect(row?.parent_id).toBe(thread)
    expect(await countsOf(thread)).toEqual([0, 2])
    expect(await commentCount()).toBe(3)
    await community.as(cem)`select delete_comments(array[${second}]::uuid[])`
    expect(await countsOf(thread)).toEqual([0, 1])
    expect(await commentCount()).toBe(2)
  })

  test('go with the comment that they answer', async () => {
    const thread = await comment(ben, 'Where?')
    await comment(ada, 'At the weir', thread)
    await comment(cem, 'Thanks', thread)
    await comment(cem, 'A comment of its own')
    await community.as(ben)`select delete_comments(array[${thread}]::uuid[])`
    expect(await commentCount()).toBe(1)
  })

  test('are refused for a deleted or hidden comment and for one of another post', async () => {
    const thread = await comment(ben, 'Where?')
    const other = await community.post(ada, 'another post')
    await expect(comment(cem, 'Here', thread, other)).rejects.toEqual(refusal('PT404'))
    await expect(comment(cem, 'Here', crypto.randomUUID())).rejects.toEqual(refusal('PT404'))
    await community.as(ben)`select block_members(array[${cem}]::uuid[])`
    await expect(comment(cem, 'Here', thread)).rejects.toEqual(refusal('PT404'))
  })
})

describe('NOTE-05 a reply', () => {
  test('notifies the author of the comment once, also when it mentions them and the post is theirs', async () => {
    const thread = await comment(ben, 'Where?')
    await community.sql('delete from notifications')
    await comment(cem, '@ben at the weir', thread)
    expect(await typesOf(ben)).toEqual(['reply'])
    expect(await typesOf(ada)).toEqual(['comment'])
    const own = await comment(ada, 'My own')
    await community.sql('delete from notifications')
    await comment(ben, '@ada lovely', own)
    expect(await typesOf(ada)).toEqual(['reply'])
  })

  test('to a reply notifies the author of the thread, and the mentioned author of that reply', async () => {
    const thread = await comment(ben, 'Where?')
    const reply = await comment(cem, 'At the weir', thread)
    await community.sql('delete from notifications')
    await comment(eve, '@cem which weir?', reply)
    expect(await typesOf(ben)).toEqual(['reply'])
    expect(await typesOf(cem)).toEqual(['mention'])
    expect(await typesOf(ada)).toEqual(['comment'])
  })

  test('never crosses a block or a mute, and members are not notified of what they write', async () => {
    const thread = await comment(ben, 'Where?')
    const sibling = await comment(cem, 'At the weir', thread)
    await community.as(ben)`insert into mutes (muter_id, muted_id) values (${ben}, ${eve})`
    await community.as(ben)`select block_members(array[${cem}]::uuid[])`
    await community.sql('delete from notifications')
    await comment(eve, 'Which?', thread)
    await comment(eve, 'Which?', sibling)
    // Cem no longer sees the comment, but the reply of another member in its thread.
    await comment(ben, 'Thank you', thread)
    expect(await typesOf(ben)).toEqual([])
    expect(await typesOf(cem)).toEqual([])
  })
})

describe('FEED-15 likes of comments', () => {
  test('are counted, and notify the author at most once a day', async () => {
    const thread = await comment(ben, 'Where?')
    await community.sql('delete from notifications')
    for (let again = 0; again < 2; again += 1) {
      await like(cem, thread)
      expect(await countsOf(thread)).toEqual([1, 0])
      expect(await typesOf(ben)).toEqual(['comment_like'])
      await unlike(cem, thread)
      expect(await typesOf(ben)).toEqual([])
    }
    await like(cem, thread)
    await like(ada, thread)
    await like(ben, thread)
    expect(await countsOf(thread)).toEqual([3, 0])
    expect(await typesOf(ben)).toEqual(['comment_like', 'comment_like'])
    const [row] = await community.sql`select post_id, comment_id from notifications where user_id = ${ben}
      and actor_id = ${cem}`
    expect(row).toEqual({ post_id: post, comment_id: thread })
  })

  test('end with the comment, and between the two members of a block', async () => {
    const thread = await comment(ben, 'Where?')
    await like(cem, thread)
    await like(ada, thread)
    await community.as(cem)`select block_members(array[${ben}]::uuid[])`
    expect(await countsOf(thread)).toEqual([1, 0])
    await community.as(ben)`select delete_comments(array[${thread}]::uuid[])`
    expect(await community.sql('select 1 from comment_likes')).toEqual([])
  })
})
