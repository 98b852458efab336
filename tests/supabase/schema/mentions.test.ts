import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, ada, ben, cem } = await openCommunity('ada', 'ben', 'cem')
const shy = await community.join('shy', { isPrivate: true })
beforeEach(async () => {
  for (const table of ['notifications', 'blocks', 'mutes']) await community.sql(`delete from ${table}`)
})

const notificationsOf = (member: string) =>
  community.sql`select type, actor_id, post_id, comment_id, story_id from notifications
    where user_id = ${member} order by type`

const typesOf = async (member: string) => (await notificationsOf(member)).map(({ type }) => type)

async function comment(author: string, post: string, content: string): Promise<string> {
  const [row] = await community.as(author)`insert into comments (post_id, user_id, content)
    values (${post}, ${author}, ${content}) returning id`
  return String(row?.id)
}

async function story(author: string, caption: string | null): Promise<string> {
  const [row] = await community.as(author)`insert into stories (user_id, media_url, media_type, content)
     values (${author}, 'data:image/png;base64,AAAA', 'image', ${caption}) returning id`
  return String(row?.id)
}

const edit = (post: string, content: string) =>
  community.as(ada)`update posts set content = ${content} where id = ${post}`

const block = (blocker: string, blocked: string) =>
  community.as(blocker)`select block_members(array[${blocked}]::uuid[])`

const mute = (muter: string, muted: string) =>
  community.as(muter)`insert into mutes (muter_id, muted_id) values (${muter}, ${muted})`

describe('NOTE-05 a mention', () => {
  test('in a post notifies each mentioned member once, and never the author', async () => {
    const post = await community.post(ada, 'with @ben, @BEN, @cem and @ada; not with @nobody')
    const one = { type: 'mention', actor_id: ada, post_id: post, comment_id: null, story_id: null }
    expect(await notificationsOf(ben)).toEqual([one])
    expect(await notificationsOf(cem)).toEqual([one])
    expect(await notificationsOf(ada)).toEqual([])
  })

  test('that an edit adds notifies once, also when it is removed and added again', async () => {
    const post = await community.post(ada, 'alone')
    for (const text of ['with @ben', 'with @ben again', 'alone again', 'and @ben again'])
      await edit(post, text)
    expect(await typesOf(ben)).toEqual(['mention'])
    await community.sql('delete from notifications')
    await edit(post, 'still with @ben')
    expect(await typesOf(ben)).toEqual([])
  })

  test('in a caption notifies with the story', async () => {
    const id = await story(ada, 'Low tide with @ben')
    expect(await notificationsOf(ben)).toEqual([
      { type: 'mention', actor_id: ada, post_id: null, comment_id: null, story_id: id },
    ])
    await story(ada, null)
    expect(await typesOf(ben)).toEqual(['mention'])
  })

  test('in a comment notifies with the comment, and goes with it', async () => {
    const post = await community.post(ada, 'a post')
    const id = await comment(ben, post, '@cem look')
    expect(await notificationsOf(cem)).toEqual([
      { type: 'mention', actor_id: ben, post_id: post, comment_id: id, story_id: null },
    ])
    await community.as(ben)`select delete_comments(array[${id}]::uuid[])`
    expect(await notificationsOf(cem)).toEqual([])
  })

  test('of the post’s author in a comment is one notification, not two', async () => {
    const post = await community.post(ada, 'a post')
    await comment(ben, post, 'thank you @ada')
    expect(await typesOf(ada)).toEqual(['mention'])
    await comment(ben, post, 'and you @cem')
    expect(await typesOf(ada)).toEqual(['comment', 'mention'])
  })

  test('never crosses a block in either direction', async () => {
    for (const [blocker, blocked] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      await community.sql('delete from blocks')
      await block(blocker, blocked)
      await community.post(ada, 'with @ben')
      await story(ada, 'with @ben')
      // A third member's comment would lead to a post that is hidden from Ben.
      await comment(cem, await community.post(ada, 'a post'), 'look @ben')
      // Ada's comment on a third member's post is hidden from Ben.
      await comment(ada, await community.post(cem, 'a post'), 'look @ben')
      expect(await typesOf(ben)).toEqual([])
    }
  })

  test('by a muted member does not notify the member who muted them', async () => {
    await mute(ben, ada)
    await community.post(ada, 'with @ben')
    await story(ada, 'with @ben')
    await comment(ada, await community.post(cem, 'a post'), 'look @ben')
    expect(await typesOf(ben)).toEqual([])
    await mute(cem, ben)
    await community.post(cem, 'with @ben')
    expect(await typesOf(ben)).toEqual(['mention'])
  })

  test('by a private member, or under their post, notifies only their followers and themselves', async () => {
    await community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${shy})`
    await community.as(shy)`select accept_follow_request(${ben})`
    await community.sql('delete from notifications')
    const post = await community.post(shy, 'with @ben and @cem')
    await story(shy, 'with @cem')
    await comment(ben, post, '@cem and @shy, look')
    expect(await typesOf(ben)).toEqual(['mention'])
    expect(await typesOf(cem)).toEqual([])
    expect(await typesOf(shy)).toEqual(['mention'])
  })

  test('notifies the first twenty members of a text at most', async () => {
    const crowd = await Promise.all(Array.from({ length: 21 }, (_, n) => community.join(`crowd${n + 10}`)))
    await community.post(ada, crowd.map((_, n) => `@crowd${n + 10}`).join(' '))
    const [row] = await community.sql(
      `select count(*)::integer as notified from notifications where type = 'mention'`,
    )
    expect(row).toEqual({ notified: 20 })
    expect(await typesOf(crowd[20] ?? '')).toEqual([])
  })
})
