import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topicName } from '#/renderer/lib/content/topics'
import { composeText } from '#/shared/composed-text'
import { TEXT_LIMITS } from '#/shared/limits'
import { OTHER_TO_SEARCH, SAME_TO_SEARCH } from '#tests/search-cases'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { openOwnCommunity } from './support/community'
import { addCrowd } from './support/crowd'

const { community, ada, ben } = await openOwnCommunity('ada', 'ben')
const conversation = randomUUID()
const placed = await community.post(ada, 'Here')

/** Ada writes a text; then what Ben finds with a query, in each search. */
const SEARCHES = {
  'a member whom nobody follows': async (text: string, query: string) => {
    await name(text)
    return membersFound(query)
  },
  'a member in the midst of the name': async (text: string, query: string) => {
    await name(`Mx ${text}`)
    return membersFound(query)
  },
  'a followed member': async (text: string, query: string) => {
    await name(text)
    return membersFound(query)
  },
  'a message': async (text: string, query: string) => {
    await community.as(
      ada,
      'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3)',
      [conversation, ada, `Oh, ${text}!`],
    )
    const found = await community.as(ben)`select from search_messages(${query}) where is_match`
    await community.sql('delete from messages')
    return found.length
  },
  'a place': async (text: string, query: string) => {
    await community.as(ada, 'update posts set location = $2 where id = $1', [placed, `Old ${text}`])
    return topicsFound(query)
  },
  'a hashtag': async (text: string, query: string) => {
    const [word, wanted] = [text.replaceAll(' ', '_'), query.replaceAll(' ', '_')]
    const post = await community.post(ada, `#${word}`)
    const found = await topicsFound(`#${wanted}`)
    await community.as(ada)`select delete_posts(array[${post}]::uuid[])`
    await community.sql('select private.cleanup(1000)')
    return found
  },
} as const
const KINDS = Object.keys(SEARCHES) as (keyof typeof SEARCHES)[]

const name = (text: string) => community.as(ada)`update profiles set full_name = ${text} where id = ${ada}`
const membersFound = async (query: string) =>
  (await community.as(ben)`select from search_profiles(${query}) where id = ${ada}`).length

const topicsFound = async (query: string) =>
  (await community.as(ben)`select from search_topics(${query})`).length

beforeAll(async () => {
  await community.sql`insert into conversations (id, participant_1, participant_2)
    values (${conversation}, ${ada}, ${ben})`
})

describe.each(KINDS)('ACC-04 the search for %s', (kind) => {
  if (kind === 'a followed member') {
    beforeAll(async () => {
      await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${ada})`
    })
    afterAll(() => community.as(ben)`delete from follows where follower_id = ${ben}`)
  }

  // A hashtag ends before most invisible characters.
  const same = SAME_TO_SEARCH.filter(([what]) => kind !== 'a hashtag' || what !== 'invisible characters')
  test.each(same)('finds %s: %j and %j, each by the other', async (_, one, other) => {
    expect(await SEARCHES[kind](one, other)).toBe(1)
    expect(await SEARCHES[kind](other, one)).toBe(1)
  })

  test.each(OTHER_TO_SEARCH)('does not take another word for %s: %j and %j', async (_, one, other) => {
    expect(await SEARCHES[kind](one, other)).toBe(0)
    expect(await SEARCHES[kind](other, one)).toBe(0)
    expect(await SEARCHES[kind](one, one)).toBe(1)
  })

  test.each(['\u0301\u0301', '\u200d\u200b', '\u0640\u0640', ' \u0300\u0301 '])(
    'finds nothing for %j',
    async (query) => {
      expect(await SEARCHES[kind]('Any text', query)).toBe(0)
    },
  )
})

test('ACC-04 a search for members takes signs of patterns for themselves, also in full width', async () => {
  await name('100 % sure')
  expect(await membersFound('１００ ％')).toBe(1)
  expect(await membersFound('１％')).toBe(0)
})

test('ACC-04 usernames are found by names with marks', async () => {
  await name('')
  expect(await membersFound('Ädà')).toBe(1)
})

describe('ACC-04 the page of a hashtag or place', () => {
  const cases = [
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'istanbul'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Ⲁⲁ', 'ⲁⲁ'],
    ['ᲗᲐᲛᲐᲠ', 'თამარ'],
    ['Ꞻꞻ', 'ꞻꞻ'],
  ] as const
  test.each(cases)('of %s is that of %s, in the app and in the database', async (one, other) => {
    const posts = [await community.post(ada, `#${one}`), await community.post(ada, `#${other}`)]
    await community.as(ada)`update posts set location = ${one} where id = ${posts[0]}`
    expect(
      await community.sql`select distinct topic from post_topics where post_id = any (${posts})`,
    ).toEqual([{ topic: topicName(one) }])
    expect(topicName(other)).toBe(topicName(one))
    for (const written of [one, other])
      expect(
        await community.as(
          ben,
          `select count_topic_posts('hashtag', $1) as hashtag, count_topic_posts('place', $1) as place`,
          [written],
        ),
      ).toEqual([{ hashtag: 2, place: 1 }])
    await community.sql('delete from posts')
  })

  test('is another one with other marks: they make another word', async () => {
    await community.post(ada, '#año #ano')
    expect(await community.as(ben, `select count_topic_posts('hashtag', 'año') as posts`)).toEqual([
      { posts: 1 },
    ])
    expect(
      (await community.as(ben, `select label from search_topics('#ANO')`)).map(({ label }) => label).sort(),
    ).toEqual(['ano', 'año'])
    await community.sql('delete from posts')
  })
})

const DECOMPOSED = 'Zoe\u0308 \ufa19\u0301'
const STORED = composeText(DECOMPOSED)

describe('ACC-04 texts are stored in composed form', () => {
  test('when they are written and when they change', async () => {
    const post = await community.post(ada, DECOMPOSED)
    const texts: [string, string, string][] = [
      ['profiles', 'full_name', ada],
      ['profiles', 'bio', ada],
      ['posts', 'content', post],
      ['posts', 'location', post],
      ['posts', 'alt_text', post],
    ]
    const insert = async (table: string, values: Record<string, unknown>) => {
      const columns = Object.keys(values)
      const [row] = await community.as(
        ada,
        `insert into ${table} (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning id`,
        Object.values(values),
      )
      return String(row?.id)
    }
    const message = { conversation_id: conversation, sender_id: ada, content: DECOMPOSED }
    const story = {
      user_id: ada,
      media_type: 'image',
      media_url: 'data:image/png;base64,AAAA',
      content: DECOMPOSED,
    }
    texts.push(
      ['comments', 'content', await insert('comments', { user_id: ada, post_id: post, content: DECOMPOSED })],
      ['messages', 'content', await insert('messages', message)],
      ['stories', 'content', await insert('stories', story)],
    )
    const stored = async (table: string, column: string, id: string) =>
      (await community.sql(`select ${column} as text from ${table} where id = $1`, [id]))[0]?.text
    expect(await stored('posts', 'content', post)).toBe(STORED)
    for (const [table, column, id] of texts) {
      if (!['profiles', 'posts'].includes(table)) expect(await stored(table, column, id), table).toBe(STORED)
      await community.sql(`update ${table} set ${column} = $2 where id = $1`, [id, `${DECOMPOSED}!`])
      expect(await stored(table, column, id), `${table}.${column}`).toBe(`${STORED}!`)
    }
    const account = randomUUID()
    await community.sql`insert into auth.users (id, email) values (${account}, ${'zoe@example.com'})`
    await community.sql`insert into auth.sessions (id, user_id) values (${account}, ${account})`
    await community.as(account)`insert into profiles (id, username, full_name)
      values (${account}, 'zoe', ${DECOMPOSED})`
    expect(await stored('profiles', 'full_name', account)).toBe(STORED)
    await community.as(ben)`insert into reports (reporter_id, member_id, reason, details)
      values (${ben}, ${ada}, 'other', ${DECOMPOSED})`
    expect(await community.sql('select details from reports')).toEqual([{ details: STORED }])
  })

  test('of a post with photos, also of their camera', async () => {
    const photo = {
      ...photoOf(await addObjects(community.sql, ben)),
      alt_text: DECOMPOSED,
      camera: { film: DECOMPOSED, camera: 'A "quoted" one \\' },
    }
    const id = randomUUID()
    await community.as(ben, 'select create_post($1, $2, $2, $3)', [id, DECOMPOSED, JSON.stringify([photo])])
    expect(await community.sql`select content, location from posts where id = ${id}`).toEqual([
      { content: STORED, location: STORED },
    ])
    expect(await community.sql`select alt_text, camera, width from post_media where post_id = ${id}`).toEqual(
      [{ alt_text: STORED, camera: { film: STORED, camera: 'A "quoted" one \\' }, width: 4 }],
    )
  })

  test.each(['\n', '\r', '\t', '\b', '\f', '\u000b', '\u001d', '\u001f', '"', '\\', '\\n', '\\u000'])(
    'with %j directly before a combining mark',
    async (before) => {
      const typed = `a${before}\u0301${before}\u0307 ${DECOMPOSED}`
      const post = await community.post(ada, typed)
      const read = 'select content from posts where id = $1'
      expect(await community.sql(read, [post])).toEqual([{ content: composeText(typed) }])
      await community.sql('update posts set content = $2 where id = $1', [post, `${typed}!`])
      expect(await community.sql(read, [post])).toEqual([{ content: composeText(`${typed}!`) }])
      const photo = {
        ...photoOf(await addObjects(community.sql, ben)),
        camera: { film: typed },
      }
      const id = randomUUID()
      await community.as(ben)`select create_post(${id}, ${'Film'}, ${'Film'}, ${JSON.stringify([photo])})`
      expect(await community.sql`select camera from post_media where post_id = ${id}`).toEqual([
        { camera: { film: composeText(typed) } },
      ])
    },
  )

  test('of which the length is limited, not of the typed one', async () => {
    const most = TEXT_LIMITS.fullName
    await name('e\u0301'.repeat(most))
    expect(
      await community.sql`select char_length(full_name) as length from profiles where id = ${ada}`,
    ).toEqual([{ length: most }])
    // NFC takes this letter apart.
    await expect(name('\u0958'.repeat(most))).rejects.toMatchObject({
      constraint: 'profiles_full_name_length',
    })
  })

  test('unless they are more than twice as long as they may be: sorting their marks could take hours', async () => {
    // Three code points that composing makes one.
    const typed = (limit: number) => 'e\u0323\u0302'.repeat(limit - 1)
    const post = await community.post(ada, 'Short')
    const inserted = async (text: string) => {
      const [object] = [photoOf(await addObjects(community.sql, ben))]
      const photos = JSON.stringify([{ ...object, ...JSON.parse(text) }])
      return community.as(ben)`select create_post(${randomUUID()}, ${'Photo'}, null, ${photos})`
    }
    const refused: [string, () => Promise<unknown>][] = [
      ['profiles_full_name_length', () => name(typed(80))],
      ['profiles_bio_length', () => community.sql`update profiles set bio = ${typed(500)} where id = ${ada}`],
      ['posts_content_length', () => community.post(ada, typed(2200))],
      [
        'posts_location_length',
        () => community.sql`update posts set location = ${typed(100)} where id = ${post}`,
      ],
      [
        'posts_alt_text_length',
        () => community.sql`update posts set alt_text = ${typed(1000)} where id = ${post}`,
      ],
      [
        'comments_content_length',
        () =>
          community.as(ada)`insert into comments (user_id, post_id, content)
            values (${ada}, ${post}, ${typed(1000)})`,
      ],
      [
        'messages_content_length',
        () =>
          community.as(ada)`insert into messages (conversation_id, sender_id, content)
            values (${conversation}, ${ada}, ${typed(4000)})`,
      ],
      [
        'stories_content_length',
        () =>
          community.as(ada)`insert into stories (user_id, media_type, media_url, content)
            values (${ada}, 'image', 'data:image/png;base64,AAAA', ${typed(500)})`,
      ],
      [
        'reports_details_length',
        () =>
          community.as(ben)`insert into reports (reporter_id, member_id, reason, details)
            values (${ben}, ${ada}, 'other', ${typed(500)})`,
      ],
      ['post_media_alt_text_length', () => inserted(JSON.stringify({ alt_text: typed(1000) }))],
      ['post_media_camera', () => inserted(JSON.stringify({ camera: { film: typed(8000) } }))],
    ]
    for (const [constraint, write] of refused)
      await expect(write(), constraint).rejects.toMatchObject({ code: '23514', constraint })

    const [key] = await community.sql(
      'select private.composed($1) as composed, private.search_key($1) as key',
      [typed(4000)],
    )
    expect(key?.composed).toBe(typed(4000))
    expect(String(key?.key)).toHaveLength(1334)
    await community.sql`update posts set location = ${composeText(typed(90))} where id = ${post}`
    const [found] = await community.sql`select count_topic_posts('place', ${typed(90)}) as posts`
    expect(found?.posts).toBe(0)
  })
})

test('NAV-03 a search for members by the beginning of a name, or by letters within, reads no whole table', async () => {
  await addCrowd(community, ada)
  await community.sql(
    `update profiles set full_name = case when username = 'crowd.7' then 'Ångström' else username end where username like 'crowd.%'`,
  )
  await community.pg.exec('vacuum analyze')
  const scans = async () => {
    await community.sql('select pg_stat_force_next_flush()')
    const [row] = await community.sql(`
      select (select seq_scan from pg_stat_user_tables where relid = 'public.profiles'::regclass) as tables,
        (select json_object_agg(indexrelname, idx_scan) from pg_stat_user_indexes where relid = 'public.profiles'::regclass) as indexes`)
    return row as { tables: number; indexes: Record<string, number> }
  }
  const during = async (query: string) => {
    const before = await scans()
    expect(await community.as(ben)`select from search_profiles(${query})`).toHaveLength(1)
    const after = await scans()
    return {
      tables: after.tables - before.tables,
      indexes: Object.keys(after.indexes).filter(
        (index) => Number(after.indexes[index]) > Number(before.indexes[index]),
      ),
    }
  }
  const prefix = await during('angstro')
  expect(prefix.tables).toBe(0)
  expect(prefix.indexes).toContain('profiles_search_prefix_idx')
  const within = await during('gström')
  expect(within.tables).toBe(0)
  expect(within.indexes).toContain('profiles_search_trgm_idx')
  // No trigram: the keys of all names, from the index, because it takes long to compute them.
  await community.sql(`update profiles set full_name = 'Анна Щукина' where username = 'crowd.8'`)
  for (const letters of ['öm', 'укина', 'щ']) {
    const { tables, indexes } = await during(letters)
    expect({ letters, tables, trigrams: indexes.includes('profiles_search_trgm_idx') }).toEqual({
      letters,
      tables: 0,
      trigrams: false,
    })
  }
})
