import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { openOwnCommunity } from './support/community'

const { community, ada, ben } = await openOwnCommunity('ada', 'ben')

async function found(member: string, query: string): Promise<unknown[]> {
  const rows = await community.as(member)`select content from search_posts(${query})`
  return rows.map(({ content }) => content)
}

async function post(author: string, content: string, rest: { location?: string; alt?: string } = {}) {
  const id = randomUUID()
  await community.as(author)`insert into posts (id, user_id, content, location, alt_text)
    values (${id}, ${author}, ${content}, ${rest.location ?? null}, ${rest.alt ?? null})`
  return id
}

const follow = async (follower: string, followed: string) => {
  await community.as(follower)`insert into follow_requests (requester_id, target_id)
    values (${follower}, ${followed})`
  await community.as(followed)`select accept_follow_request(${follower})`
}

describe('FEED-22 a post', () => {
  beforeAll(async () => {
    await post(ada, 'Fog over the harbour, at DAWN')
    await post(ada, 'L’été à Zürich', { location: 'Lac de Zürich' })
    await post(ada, 'Quiet', { location: 'Museum Berggruen, Berlin', alt: 'A red chair by a window' })
    await post(ada, 'Look at #black_and_white')
    await post(ada, '東京の夜景がきれい')
    await post(ada, 'เช้าวันใหม่ที่เชียงใหม่')
    await post(ada, '☕☕')
    await post(ada, `${'a'.repeat(30)}b`)
  })

  test.each([
    ['fog', ['Fog over the harbour, at DAWN']],
    ['harb', ['Fog over the harbour, at DAWN']],
    ['dawn FOG', ['Fog over the harbour, at DAWN']],
    ['zurich', ['L’été à Zürich']],
    ['ete', ['L’été à Zürich']],
    ['berlin', ['Quiet']],
    ['chair', ['Quiet']],
    ['window quiet berggruen', ['Quiet']],
    ['#black', ['Look at #black_and_white']],
    ['white', ['Look at #black_and_white']],
    ['東京', ['東京の夜景がきれい']],
    ['夜景', ['東京の夜景がきれい']],
    ['きれい 東京', ['東京の夜景がきれい']],
    ['เชียงใหม่', ['เช้าวันใหม่ที่เชียงใหม่']],
    ['☕', ['☕☕']],
    ['a'.repeat(28), [`${'a'.repeat(30)}b`]],
    ['arbour', []],
    ['fog chair', []],
    ['京東', []],
    ['%', []],
    ['_', []],
    [' ', []],
    ['', []],
    ['\u0301\u0301', []],
  ])('is found by %j, if its words begin words of the texts: %j', async (query, expected) => {
    expect(await found(ben, query)).toEqual(expected)
  })

  test('is found by its changed texts only', async () => {
    const changed = await post(ada, 'Marigold', { location: 'Aleppo', alt: 'Petals' })
    await community.as(ada)`update posts set content = 'Marzipan', location = null, alt_text = 'Almonds'
      where id = ${changed}`
    for (const gone of ['marigold', 'aleppo', 'petals']) expect(await found(ben, gone)).toEqual([])
    for (const now of ['marzipan', 'almonds']) expect(await found(ben, now)).toEqual(['Marzipan'])
    await community.as(ada)`select delete_posts(array[${changed}]::uuid[])`
    expect(await found(ben, 'marzipan')).toEqual([])
    expect(await community.sql`select from private.post_words where post_id = ${changed}`).toEqual([])
  })

  test('is found by the alternative text of each photo', async () => {
    const id = randomUUID()
    const photo = async (alt_text: string) => ({ ...photoOf(await addObjects(community.sql, ada)), alt_text })
    const photos = [await photo('A heron'), await photo('A kingfisher')]
    await community.as(ada)`select create_post(${id}, ${'Birds'}, null, ${JSON.stringify(photos)})`
    expect(await found(ben, 'heron kingfisher')).toEqual(['Birds'])
    await community.as(ada)`update post_media set alt_text = 'An egret' where post_id = ${id}
      and position = 0`
    expect(await found(ben, 'heron')).toEqual([])
    expect(await found(ben, 'egret')).toEqual(['Birds'])
    await community.sql`delete from post_media where post_id = ${id} and position = 1`
    expect(await found(ben, 'kingfisher')).toEqual([])
  })

  test('has at most five hundred words, also a long text without spaces', async () => {
    const ideographs = Array.from({ length: 2200 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('')
    const id = await post(ada, ideographs, { alt: 'é'.repeat(1000) })
    const many = await post(
      ada,
      Array.from({ length: 700 }, (_, n) => `x${n.toString(36)}`)
        .join(' ')
        .slice(0, 2200),
    )
    for (const written of [id, many]) {
      const [row] = await community.sql`select count(*)::integer as words from private.post_words
        where post_id = ${written}`
      expect(row?.words).toBe(500)
    }
  })
})

describe('FEED-22 the search for posts', () => {
  test('finds only posts that the member may see and whose authors are not muted', async () => {
    const [shy, rude, dull, friend, stranger] = [
      await community.join('shy', { isPrivate: true }),
      await community.join('rude'),
      await community.join('dull'),
      await community.join('friend'),
      await community.join('stranger'),
    ]
    for (const author of [shy, rude, dull]) await post(author, 'Wolfsbane')
    expect(await found(stranger, 'wolfsbane')).toHaveLength(2)
    await follow(friend, shy)
    expect(await found(friend, 'wolfsb')).toHaveLength(3)
    expect(await found(shy, 'wolfsbane')).toHaveLength(3)
    await community.as(rude)`select block_members(array[${friend}]::uuid[])`
    await community.as(friend)`insert into mutes (muter_id, muted_id) values (${friend}, ${dull})`
    expect(await found(friend, 'wolfsbane')).toHaveLength(1)
    await community.as(friend)`delete from follows where follower_id = ${friend}`
    expect(await found(friend, 'wolfsbane')).toEqual([])
    await community.as(shy)`update profiles set is_private = false where id = ${shy}`
    expect(await found(friend, 'wolfsbane')).toHaveLength(1)
    await community.as(shy)`update profiles set is_private = true where id = ${shy}`
    expect(await found(friend, 'wolfsbane')).toEqual([])
    expect(await community.sql`select from search_posts(${'wolfsbane'})`).toEqual([])
  })

  test('finds the same whatever posts that the member may not see are about', async () => {
    const closed = await community.join('closed', { isPrivate: true })
    await post(ada, 'A gorse field')
    for (let n = 0; n < 25; n += 1) await post(closed, `gorse${String(n).padStart(2, '0')} field`)
    await post(ada, 'gorsey field')
    expect(await found(ben, 'gorse')).toEqual(['gorsey field', 'A gorse field'])
    expect(await found(ben, 'field gors')).toEqual(['gorsey field', 'A gorse field'])
    expect(await found(closed, 'gorse')).toHaveLength(27)
  })

  test('pages through all matches, newest first, each once, also those with several words or equal times', async () => {
    const shown: string[] = []
    for (let n = 0; n < 70; n += 1) await post(n % 2 ? ada : ben, `Heather heathers ${n}`)
    await community.sql(
      `update posts set created_at = date_trunc('hour', created_at) where content like 'Heather %' and content ~ '[5-9]$'`,
    )
    await community.sql(
      `update private.post_words w set created_at = p.created_at from posts p where p.id = w.post_id`,
    )
    let before: Record<string, unknown> | undefined
    do {
      const rows = await community.as(ben)`select id, content, created_at::text as at
        from search_posts(${'heather'}, ${before?.at ?? null}::timestamptz, ${before?.id ?? null})`
      shown.push(...rows.map(({ content }) => String(content)))
      before = rows.length === 30 ? rows.at(-1) : undefined
    } while (before !== undefined)
    expect(shown).toHaveLength(70)
    expect(new Set(shown).size).toBe(70)
  })
})

describe('FEED-22 the words of an account that changes its privacy', () => {
  let wordy: string
  const setPrivate = (isPrivate: boolean) =>
    community.as(wordy)`update profiles set is_private = ${isPrivate} where id = ${wordy}`
  const wordsByAudience = async () =>
    Object.fromEntries(
      (
        await community.sql`select audience, count(*)::integer as words from private.post_words
          where user_id = ${wordy} group by 1`
      ).map(({ audience, words }) => [audience, words]),
    )
  const candidates = (member: string) =>
    community.as(member, `select private.found_post_ids('quartz', null, null)`)
  const cleanUp = () => community.sql('select private.cleanup(10)')

  beforeAll(async () => {
    wordy = await community.join('wordy')
    await community.sql`insert into posts (user_id, content, created_at)
      select ${wordy}, 'Quartz', now() - n * interval '1 minute' from generate_series(1, 26) as n`
    await community.sql`
      insert into private.post_words select p.id, 'feldspar' || n, p.user_id, p.audience, p.created_at
       from posts p cross join generate_series(1, 499) as n where p.user_id = ${wordy}`
    expect(await wordsByAudience()).toEqual({ public: 26 * 500 })
  })

  test('move with at most ten thousand at once, however many there are, and with the cleanup', async () => {
    await setPrivate(true)
    expect(await wordsByAudience()).toEqual({ followers: 10_000, public: 3_000 })
    // Nobody finds posts by words that have not moved. They are candidates, which the policy refuses.
    expect(await candidates(ben)).toHaveLength(6)
    expect(await found(ben, 'quartz')).toEqual([])
    expect(await found(wordy, 'quartz')).toHaveLength(26)

    await cleanUp()
    expect(await wordsByAudience()).toEqual({ followers: 11_000, public: 2_000 })
    for (let n = 0; n < 3; n += 1) await cleanUp()
    expect(await wordsByAudience()).toEqual({ followers: 13_000 })
    expect(await community.sql('select from private.post_moves')).toEqual([])
  })

  test('all have the last audience after two changes', async () => {
    await setPrivate(false)
    await setPrivate(true)
    for (let n = 0; n < 4; n += 1) await cleanUp()
    expect(await wordsByAudience()).toEqual({ followers: 13_000 })
    await setPrivate(false)
    expect(await found(ben, 'quartz')).toHaveLength(20)
    for (let n = 0; n < 4; n += 1) await cleanUp()
    expect(await found(ben, 'quartz')).toHaveLength(26)
    expect(await community.sql('select from private.post_moves')).toEqual([])
  })
})
