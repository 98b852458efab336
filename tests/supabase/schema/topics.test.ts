import { describe, expect, test } from 'vitest'
import { splitRichText } from '#/renderer/lib/rich-text'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

async function topicsOf(post: string, kind = 'hashtag'): Promise<unknown[]> {
  const rows = await community.sql(
    'select topic from post_topics where post_id = $1 and kind = $2 order by topic',
    [post, kind],
  )
  return rows.map(({ topic }) => topic)
}

describe('FEED-16 #word', () => {
  test.each([
    ['#fog', ['fog']],
    ['#Fog and #FOG', ['fog']],
    ['(#fog) #harbour, #dawn.', ['dawn', 'fog', 'harbour']],
    ['#größe #ÖL #東京 #привет', ['größe', 'öl', 'привет', '東京']],
    ['#35mm #2026 #_ #1_2', ['35mm']],
    ['#black_and_white', ['black_and_white']],
    ['#can’t #don-t', ['can', 'don']],
    ['#fog🌫️ #🌫️', ['fog']],
    ['你好#東京、#大阪。', ['大阪']],
    ['a#fog ##fog &#39; /#fog @#fog', []],
    ['https://example.com/page#fog', []],
    [`#${'a'.repeat(50)} #${'b'.repeat(51)}`, ['a'.repeat(50)]],
    ['# fog', []],
  ])('in %j has %j, in the database and as links', async (content, expected) => {
    expect(await topicsOf(await community.post(ada, content))).toEqual(expected)
    const linked = splitRichText(content).flatMap((part) =>
      part.kind === 'hashtag' ? [part.tag.toLowerCase()] : [],
    )
    expect([...new Set(linked)].sort()).toEqual(expected)
  })
})
const follow = (follower: string, tag: string) =>
  community.as(follower, 'insert into hashtag_follows (follower_id, tag) values ($1, $2)', [follower, tag])

async function found(member: string, query: string): Promise<unknown[]> {
  const rows = await community.as(member, 'select kind, label from search_topics($1)', [query])
  return rows.map(({ kind, label }) => `${kind} ${label}`)
}

const count = async (member: string, kind: string, name: string) => {
  const [row] = await community.as(member, 'select count_topic_posts($1, $2) as posts', [kind, name])
  return row?.posts
}

const pagesOf = async (member: string) =>
  (await community.as(member, 'select id from following_posts() order by created_at desc, id desc')).map(
    ({ id }) => id,
  )

async function placePost(author: string, location: string): Promise<string> {
  const id = await community.post(author, 'Here')
  await community.as(author, 'update posts set location = $2 where id = $1', [id, location])
  return id
}

describe('FEED-16 the topics of a post', () => {
  test('change with its text and place, and keep the label as it was last written', async () => {
    const post = await community.post(ada, '#Dusk over the #weir')
    await community.as(
      ada,
      `update posts set content = '#DUSK and #rain', location = '  Lower   Weir ' where id = $1`,
      [post],
    )
    expect(await topicsOf(post)).toEqual(['dusk', 'rain'])
    expect(await topicsOf(post, 'place')).toEqual(['lower weir'])
    expect(
      await community.sql('select label from post_topics where post_id = $1 order by label', [post]),
    ).toEqual([{ label: 'DUSK' }, { label: 'Lower Weir' }, { label: 'rain' }])
    await community.as(ada, `update posts set content = 'Dry', location = null where id = $1`, [post])
    expect(await community.sql('select from post_topics where post_id = $1', [post])).toEqual([])
  })

  test('are at most thirty hashtags', async () => {
    const tags = Array.from({ length: 40 }, (_, index) => `#tag${String(index).padStart(2, '0')}`)
    expect(await topicsOf(await community.post(ada, tags.join(' ')))).toEqual(
      tags.slice(0, 30).map((tag) => tag.slice(1)),
    )
  })

  test('are found, counted and suggested only to members who may see the post', async () => {
    const [shy, stranger, friend] = [
      await community.join('shy', { isPrivate: true }),
      await community.join('stranger'),
      await community.join('friend'),
    ]
    await community.post(shy, 'My #secretgarden')
    await placePost(shy, 'Secret Valley')
    await community.as(friend, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
      friend,
      shy,
    ])
    await community.as(shy, 'select accept_follow_request($1)', [friend])
    expect(await found(stranger, 'secret')).toEqual([])
    expect(await count(stranger, 'hashtag', 'secretgarden')).toBe(0)
    expect(await found(friend, 'secret')).toEqual(['hashtag secretgarden', 'place Secret Valley'])
    expect(await found(friend, '#SECRET')).toEqual(['hashtag secretgarden'])
    expect(await count(friend, 'hashtag', 'SecretGarden')).toBe(1)
    expect(await count(friend, 'place', 'secret valley')).toBe(1)
    await community.as(shy, 'update profiles set is_private = false where id = $1', [shy])
    expect(await found(stranger, 'secret')).toEqual(['hashtag secretgarden', 'place Secret Valley'])
    await community.as(shy, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [shy, stranger])
    expect(await found(stranger, 'secret')).toEqual([])
    expect(await count(stranger, 'place', 'Secret Valley')).toBe(0)
  })

  test('are found each once, five of a kind, in the order of their names', async () => {
    for (const content of ['#zebra1', '#Zebra1 #zebra2 #zebra3', '#zebra4 #zebra5 #zebra6'])
      await community.post(ada, content)
    expect(await found(ben, 'zebra')).toEqual(
      ['Zebra1', 'zebra2', 'zebra3', 'zebra4', 'zebra5'].map((tag) => `hashtag ${tag}`),
    )
    expect(await found(ben, 'zebra6')).toEqual(['hashtag zebra6'])
    expect(await found(ben, '%')).toEqual([])
    expect(await found(ben, ' ')).toEqual([])
  })
})

describe('FEED-16 followed hashtags', () => {
  test('bring public posts of others into Following, each once and across pages', async () => {
    const fan = await community.join('fan')
    const [author, closed] = [
      await community.join('author'),
      await community.join('closed', { isPrivate: true }),
    ]
    const posts: string[] = []
    for (let index = 0; index < 10; index += 1)
      posts.unshift(await community.post(author, '#kites and #wind'))
    await community.post(closed, '#kites')
    expect(await pagesOf(fan)).toEqual([])
    await follow(fan, 'kites')
    await follow(fan, 'wind')
    expect(await pagesOf(fan)).toEqual(posts.slice(0, 8))
    const [last] = await community.sql('select created_at, id from posts where id = $1', [posts[7]])
    const rest = await community.as(
      fan,
      'select id from following_posts($1, $2) order by created_at desc, id desc',
      [last?.created_at, last?.id],
    )
    expect(rest.map(({ id }) => id)).toEqual(posts.slice(8))
    await community.as(author, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [author, fan])
    expect(await pagesOf(fan)).toEqual([])
  })

  test('are seen by their follower only', async () => {
    const reader = await community.join('reader')
    await follow(reader, 'moss')
    expect(await community.as(ben, 'select tag from hashtag_follows')).toEqual([])
    expect(await community.as(reader, 'select tag from hashtag_follows')).toEqual([{ tag: 'moss' }])
  })
})

describe('FEED-16 Explore', () => {
  test('shows recent public photos of others', async () => {
    const guest = await community.join('guest')
    const [open, closed] = [await community.join('open'), await community.join('behind', { isPrivate: true })]
    const photo = async (author: string) => {
      const [row] = await community.as(
        author,
        `insert into posts (user_id, image_url, image_width, image_height)
         values ($1, 'data:image/png;base64,AAAA', 4, 3) returning id`,
        [author],
      )
      return row?.id
    }
    const shown = await photo(open)
    await photo(closed)
    await photo(guest)
    await community.post(open, 'Only a text')
    expect(await community.as(guest, 'select id from explore_posts()')).toEqual([{ id: shown }])
    const [{ created_at, id } = {}] = await community.sql('select created_at, id from posts where id = $1', [
      shown,
    ])
    expect(await community.as(guest, 'select id from explore_posts($1, $2)', [created_at, id])).toEqual([])
    await community.as(open, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [open, guest])
    expect(await community.as(guest, 'select id from explore_posts()')).toEqual([])
  })

  test('suggests the hashtags that most members have used in a week, without those of muted members', async () => {
    const guest = await community.join('visitor')
    await community.sql('delete from posts')
    const [one, two, muted] = [
      await community.join('one'),
      await community.join('two'),
      await community.join('muted'),
    ]
    for (let index = 0; index < 3; index += 1) await community.post(one, '#Often')
    for (const author of [one, two]) await community.post(author, '#Shared')
    await community.post(muted, '#Noise')
    await community.sql(
      `insert into posts (user_id, content, created_at) values ($1, '#Ancient', now() - interval '8 days')`,
      [one],
    )
    await community.as(guest, 'insert into mutes (muter_id, muted_id) values ($1, $2)', [guest, muted])
    expect(await community.as(guest, 'select label from popular_hashtags()')).toEqual([
      { label: 'Shared' },
      { label: 'Often' },
    ])
  })
})
