import { beforeAll, describe, expect, test } from 'vitest'
import { splitRichText } from '#/renderer/lib/content/rich-text'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

async function topicsOf(post: string, kind = 'hashtag'): Promise<unknown[]> {
  const rows = await community.sql`select topic from post_topics where post_id = ${post} and kind = ${kind}
    order by topic`
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
    ['#برلین، #پاریس؛ #تہران۔ #رم؟', ['برلین', 'تہران', 'رم', 'پاریس']],
    ['#दिल्ली। #मुंबई॥', ['दिल्ली', 'मुंबई']],
    ['#Երևան։ #Գյումրի՝ տուն', ['գյումրի', 'երևան']],
    ['#می‌خواهم ‌#क्‍ष', ['می‌خواهم', 'क्‍ष']],
    ['#col·lecció #fog· #·fog', ['col·lecció', 'fog']],
    ['＃東京、＃大阪 ＃＃fog a＃fog', ['大阪', '東京']],
    ['#1️⃣ #️⃣fog #❤️ #fog❤️', ['fog']],
    ['#१२३ #१२३कमल #٢٠٢٦', ['१२३कमल']],
    ['#〇一 #葛󠄀城', ['〇一', '葛󠄀城']],
    ['#ㅤ #\u200d #\u200bfog', []],
    ['#fog„ #fog« #fog※ #fog፣', ['fog']],
  ])('in %j has %j, in the database and as links', async (content, expected) => {
    expect(await topicsOf(await community.post(ada, content))).toEqual(expected)
    const linked = splitRichText(content).flatMap((part) =>
      part.kind === 'hashtag' ? [part.tag.toLowerCase()] : [],
    )
    expect([...new Set(linked)].sort()).toEqual(expected)
  })
})
const follow = (follower: string, tag: string) =>
  community.as(follower)`insert into hashtag_follows (follower_id, tag) values (${follower}, ${tag})`

async function found(member: string, query: string): Promise<unknown[]> {
  const rows = await community.as(member)`select kind, label from search_topics(${query})`
  return rows.map(({ kind, label }) => `${kind} ${label}`)
}

const count = async (member: string, kind: string, name: string) => {
  const [row] = await community.as(member)`select count_topic_posts(${kind}, ${name}) as posts`
  return row?.posts
}

const pagesOf = async (member: string) =>
  (await community.as(member, 'select id from following_posts() order by created_at desc, id desc')).map(
    ({ id }) => id,
  )

async function placePost(author: string, location: string): Promise<string> {
  const id = await community.post(author, 'Here')
  await community.as(author)`update posts set location = ${location} where id = ${id}`
  return id
}

describe('FEED-16 the topics of a post', () => {
  test('change with its text and place, and keep the label as it was last written', async () => {
    const post = await community.post(ada, '#Dusk over the #weir')
    await community.as(ada)`update posts set content = '#DUSK and #rain', location = '  Lower   Weir '
      where id = ${post}`
    expect(await topicsOf(post)).toEqual(['dusk', 'rain'])
    expect(await topicsOf(post, 'place')).toEqual(['lower weir'])
    expect(await community.sql`select label from post_topics where post_id = ${post} order by label`).toEqual(
      [{ label: 'DUSK' }, { label: 'Lower Weir' }, { label: 'rain' }],
    )
    await community.as(ada)`update posts set content = 'Dry', location = null where id = ${post}`
    expect(await community.sql`select from post_topics where post_id = ${post}`).toEqual([])
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
    await community.as(friend)`insert into follow_requests (requester_id, target_id)
      values (${friend}, ${shy})`
    await community.as(shy)`select accept_follow_request(${friend})`
    expect(await found(stranger, 'secret')).toEqual([])
    expect(await count(stranger, 'hashtag', 'secretgarden')).toBe(0)
    expect(await found(friend, 'secret')).toEqual(['hashtag secretgarden', 'place Secret Valley'])
    expect(await found(friend, '#SECRET')).toEqual(['hashtag secretgarden'])
    expect(await count(friend, 'hashtag', 'SecretGarden')).toBe(1)
    expect(await count(friend, 'place', 'secret valley')).toBe(1)
    await community.as(shy)`update profiles set is_private = false where id = ${shy}`
    expect(await found(stranger, 'secret')).toEqual(['hashtag secretgarden', 'place Secret Valley'])
    await community.as(shy)`select block_members(array[${stranger}]::uuid[])`
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

  describe('with several words', () => {
    beforeAll(async () => {
      const guide = await community.join('guide')
      for (const place of ['Museum Berggruen, Berlin', 'Berlin', 'L’Aquila (old town)', 'Étretat', '☕'])
        await placePost(guide, place)
      await community.post(guide, '#Black_and_White')
    })

    test.each([
      ['berlin', ['place Berlin', 'place Museum Berggruen, Berlin']],
      ['BERGG', ['place Museum Berggruen, Berlin']],
      ['museum berggruen berlin', ['place Museum Berggruen, Berlin']],
      ['berggruen,  ber', ['place Museum Berggruen, Berlin']],
      ['aquila', ['place L’Aquila (old town)']],
      ['(old', ['place L’Aquila (old town)']],
      ['ÉTR', ['place Étretat']],
      ['☕', ['place ☕']],
      ['white', ['hashtag Black_and_White']],
      ['#AND_w', ['hashtag Black_and_White']],
      ['#berlin', []],
      ['erlin', []],
      ['museum berlin', []],
      ['%erlin', []],
      ['_', []],
    ])('are found by %j, if it begins a word: %j', async (query, expected) => {
      expect(await found(ben, query)).toEqual(expected)
    })
  })

  test('are not found by words that only hidden posts use', async () => {
    const [closed, rude, dull, reader] = [
      await community.join('closed.door', { isPrivate: true }),
      await community.join('rude'),
      await community.join('dull'),
      await community.join('reader.one'),
    ]
    for (const author of [closed, rude, dull]) await placePost(author, 'Old Quarry')
    await community.as(reader)`insert into mutes (muter_id, muted_id) values (${reader}, ${dull})`
    await community.as(rude)`select block_members(array[${reader}]::uuid[])`
    expect(await found(reader, 'quarry')).toEqual([])
    expect(await found(closed, 'quarry')).toEqual(['place Old Quarry'])
    await community.as(reader)`delete from mutes where muter_id = ${reader}`
    expect(await found(reader, 'quarry')).toEqual(['place Old Quarry'])
  })

  test('are found although more private accounts than a search reads use names before theirs', async () => {
    const closed = await community.join('busy', { isPrivate: true })
    for (let post = 0; post < 4; post += 1)
      await community.post(closed, Array.from({ length: 30 }, (_, n) => `#moor${post}${n}`).join(' '))
    await community.post(ada, '#moorland')
    expect(await found(ben, 'moor')).toEqual(['hashtag moorland'])
    await community.sql`delete from posts where user_id = ${closed}`
  })

  test('are found or not whatever posts that the member may not see are about', async () => {
    const [owner, first, second] = [
      await community.join('owner', { isPrivate: true }),
      await community.join('crowd.one', { isPrivate: true }),
      await community.join('crowd.two', { isPrivate: true }),
    ]
    await community.post(owner, '#bogzzz')
    for (let post = 0; post < 4; post += 1)
      await community.post(first, Array.from({ length: 25 }, (_, n) => `#bog${post}${n}`).join(' '))
    expect(await found(owner, 'bog')).toEqual(['hashtag bogzzz'])
    for (let post = 0; post < 11; post += 1) await community.post(second, '#bogzzz')
    expect(await found(owner, 'bog')).toEqual(['hashtag bogzzz'])
    await community.sql`delete from posts where user_id = any (${[first, second]})`
  })

  test('leave no words behind once the cleanup has examined topics without posts', async () => {
    const author = await community.join('leaving')
    const words = async () =>
      (
        await community.sql(
          `select audience, words from private.topic_words where topic in ('peat bog', 'gone') order by 1, 2`,
        )
      ).map(({ audience, words: text }) => `${audience} ${text}`)
    const post = await placePost(author, 'Peat Bog')
    await placePost(ben, 'Peat Bog')
    await community.post(author, '#gone')
    expect(await words()).toEqual(['public bog', 'public gone', 'public peat bog'])
    await community.as(author)`update profiles set is_private = true where id = ${author}`
    await community.sql('select private.cleanup(1000)')
    expect(await words()).toEqual([
      'followers bog',
      'followers gone',
      'followers peat bog',
      'public bog',
      'public peat bog',
    ])
    await community.as(author)`update posts set location = null where id = ${post}`
    await community.sql('select private.cleanup(1000)')
    expect(await words()).toEqual(['followers gone', 'public bog', 'public peat bog'])
    await community.as(author, 'select delete_account()')
    await community.sql('select private.cleanup(1000)')
    expect(await words()).toEqual(['public bog', 'public peat bog'])
    expect(await community.sql('select from private.removed_topics')).toEqual([])
  })
})

describe('SET-02 the topics of an account with many posts', () => {
  let author: string
  let fan: string
  const setPrivate = (isPrivate: boolean) =>
    community.as(author)`update profiles set is_private = ${isPrivate} where id = ${author}`
  const audiences = async () => {
    const rows = await community.sql`select audience, count(*)::integer as topics from post_topics
      where user_id = ${author} group by 1 order by 1`
    return Object.fromEntries(rows.map(({ audience, topics }) => [audience, topics]))
  }
  const seenBy = async (member: string) => ({
    topics: (await community.as(member)`select from post_topics where user_id = ${author}`).length,
    counted: await count(member, 'hashtag', 'talus'),
    found: await found(member, 'talus'),
    following: (await community.as(member, 'select private.followed_hashtag_post_ids(null, null)')).length,
  })
  const nothing = { topics: 0, counted: 0, found: [], following: 0 }
  const cleanUp = () => community.sql('select private.cleanup(100)')

  beforeAll(async () => {
    author = await community.join('scree')
    fan = await community.join('climber')
    await follow(fan, 'talus')
    await community.sql`insert into posts (user_id, content, created_at)
       select ${author}, '#talus ' || (select string_agg(format('#t%s_%s', n, m), ' ') from generate_series(1, 29) as m),
         now() - n * interval '1 minute'
       from generate_series(1, 60) as n`
    expect(await audiences()).toEqual({ public: 60 * 30 })
  })

  test('move in steps, and are seen by nobody else before they have moved', async () => {
    await setPrivate(true)
    const { followers, public: left } = await audiences()
    expect(followers).toBeGreaterThan(0)
    expect(followers).toBeLessThanOrEqual(1_000)
    expect(left).toBe(1_800 - followers)
    expect(await seenBy(fan)).toEqual(nothing)
    expect(await count(author, 'hashtag', 'talus')).toBe(60)
    await cleanUp()
    expect(await audiences()).toEqual({ followers: 1_800 })
    expect(await seenBy(fan)).toEqual(nothing)
    expect(await community.sql('select from private.post_moves')).toEqual([])
  })

  test('are seen by others again after a change to public', async () => {
    await setPrivate(false)
    expect((await seenBy(fan)).found).toEqual(['hashtag talus'])
    await cleanUp()
    expect(await audiences()).toEqual({ public: 1_800 })
    expect(await seenBy(fan)).toEqual({
      topics: 1_800,
      counted: 60,
      found: ['hashtag talus'],

      following: 8,
    })
  })

  test('have the words of a name from each of the first eight on', async () => {
    const words = Array.from({ length: 25 }, (_, index) => `w${String(index)}`).join('_')
    await community.post(author, `#${words.slice(0, 50)}`)
    const rows = await community.sql`select from private.topic_words where topic = ${words.slice(0, 50)}`
    expect(rows).toHaveLength(8)
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
    const [last] = await community.sql`select created_at, id from posts where id = ${posts[7]}`
    const rest = await community.as(fan)`select id from following_posts(${last?.created_at}, ${last?.id})
      order by created_at desc, id desc`
    expect(rest.map(({ id }) => id)).toEqual(posts.slice(8))
    await community.as(author)`select block_members(array[${fan}]::uuid[])`
    expect(await pagesOf(fan)).toEqual([])
  })
})

describe('FEED-16 Explore', () => {
  test('shows recent public photos of others', async () => {
    const guest = await community.join('guest')
    const [open, closed] = [await community.join('open'), await community.join('behind', { isPrivate: true })]
    const photo = async (author: string) => {
      const [row] = await community.as(author)`
        insert into posts (user_id, image_url, image_width, image_height)
         values (${author}, 'data:image/png;base64,AAAA', 4, 3) returning id`
      return row?.id
    }
    const shown = await photo(open)
    await photo(closed)
    await photo(guest)
    await community.post(open, 'Only a text')
    expect(await community.as(guest, 'select id from explore_posts()')).toEqual([{ id: shown }])
    const [{ created_at, id } = {}] = await community.sql`select created_at, id from posts
      where id = ${shown}`
    expect(await community.as(guest)`select id from explore_posts(${created_at}, ${id})`).toEqual([])
    await community.as(open)`select block_members(array[${guest}]::uuid[])`
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
    await community.sql`insert into posts (user_id, content, created_at)
      values (${one}, '#Ancient', now() - interval '8 days')`
    await community.as(guest)`insert into mutes (muter_id, muted_id) values (${guest}, ${muted})`
    expect(await community.as(guest, 'select label from popular_hashtags()')).toEqual([
      { label: 'Shared' },
      { label: 'Often' },
    ])
  })
})
