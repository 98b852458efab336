import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { FEED_PAGE } from '#/shared/limits'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')
const { as, sql } = community

const POST_STATES = ['visible', 'warned', 'hidden', 'archived']
const STORY_STATES = ['visible', 'warned', 'hidden']

const setState = (post: string, state: string) =>
  sql`select private.set_item_state('public.posts', array[${post}::uuid], ${state})`
const setPrivate = (member: string, isPrivate: boolean) =>
  as(member)`update profiles set is_private = ${isPrivate} where id = ${member}`

/** Everything that is derived from a post's state and its author's privacy. */
async function derivedOf(post: string) {
  const [row] = await sql`
    select audience, (select shown_post_count(a) from profiles a where a.id = p.user_id) as posts,
      (select array_agg(distinct word || ' ' || w.audience order by word || ' ' || w.audience) from private.post_words w where post_id = p.id) as words,
      (select array_agg(topic || ' ' || t.audience order by topic) from post_topics t where post_id = p.id) as topics
    from posts p where id = ${post}`
  return row
}

describe('SET-04 the state of a post', () => {
  test('decides with its author’s privacy who may see it', async () => {
    const found = await sql`
      select state, private.audience_of(false, state) as public, private.audience_of(true, state) as private
      from unnest(${POST_STATES}::text[]) as state`
    expect(found).toEqual([
      { state: 'visible', public: 'public', private: 'followers' },
      { state: 'warned', public: 'public', private: 'followers' },
      { state: 'hidden', public: 'nobody', private: 'nobody' },
      { state: 'archived', public: 'nobody', private: 'nobody' },
    ])
  })

  test('removes and restores its words, its topics and its place in the count, whatever happens meanwhile', async () => {
    const post = await community.post(ada, 'Fog over the #weir')
    await community.post(ada, 'Another')
    const words = (audience: string, ...texts: string[]) => texts.map((text) => `${text} ${audience}`)
    const shown = {
      audience: 'public',
      posts: 2,
      words: words('public', 'fog', 'over', 'the', 'weir'),
      topics: ['weir public'],
    }
    const gone = { audience: 'nobody', posts: 1, words: null, topics: null }
    expect(await derivedOf(post)).toEqual(shown)
    await setState(post, 'warned')
    expect(await derivedOf(post)).toEqual(shown)
    await setState(post, 'hidden')
    expect(await derivedOf(post)).toEqual(gone)
    await setState(post, 'archived')
    expect(await derivedOf(post)).toEqual(gone)

    // Going private and public again opens nothing, and an edit brings no words back.
    await setPrivate(ada, true)
    await setPrivate(ada, false)
    await as(ada)`update posts set content = 'Mist over the #lock' where id = ${post}`
    await sql`select private.move_posts(10000)`
    expect(await derivedOf(post)).toEqual(gone)
    await setPrivate(ada, true)
    await sql`select private.recount(array[${ada}::uuid])`
    expect(await derivedOf(post)).toEqual(gone)

    await setState(post, 'visible')
    expect(await derivedOf(post)).toEqual({
      audience: 'followers',
      posts: 2,
      words: words('followers', 'lock', 'mist', 'over', 'the'),
      topics: ['lock followers'],
    })
    await setPrivate(ada, false)
  })

  test('leaves the count right when a hidden post is deleted', async () => {
    const cyd = await community.join('cyd')
    const [one, two, three] = [
      await community.post(cyd, 'One'),
      await community.post(cyd, 'Two'),
      await community.post(cyd, 'Three'),
    ]
    await setState(one, 'hidden')
    await setState(two, 'archived')
    await as(cyd)`select delete_posts(array[${one}::uuid])`
    await sql`delete from posts where id = ${two}`
    expect(await derivedOf(three)).toMatchObject({ posts: 1 })
  })

  test('of nobody: an edit and a comment notify and tag nobody', async () => {
    const post = await community.post(ada, 'Hello')
    await as(ben)`insert into comments (post_id, user_id, content) values (${post}, ${ben}, 'Hello')`
    await setState(post, 'hidden')
    await as(ada)`update posts set content = 'Hello @ben' where id = ${post}`
    await as(ada)`insert into comments (post_id, user_id, content) values (${post}, ${ada}, 'Where is @ben?')`
    await as(
      ada,
    )`insert into comment_likes (comment_id, user_id) select id, ${ada} from comments where user_id = ${ben}`
    expect(await sql`select type from notifications where user_id = ${ben}`).toEqual([])
    expect(await sql`select from post_tags where post_id = ${post}`).toEqual([])
  })
})

test('both forms of the rule agree: the policy, and that for a reader who is not the caller', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `reader.${index}`)
  const members: string[] = []
  for (const [index, name] of names.entries())
    members.push(await community.join(name, { isPrivate: index % 2 === 0 }))
  for (const author of members) {
    for (const state of POST_STATES) await setState(await community.post(author, state), state)
    for (const state of STORY_STATES) {
      const [story] = await as(author)`insert into stories (user_id, media_type, media_url)
        values (${author}, 'image', 'data:image/webp;base64,AAAA') returning id`
      await sql`select private.set_item_state('public.stories', array[${story?.id}::uuid], ${state})`
    }
  }
  // Each of following or not, blocking, blocked and neither, among the readers of public and of private accounts; a block without its triggers.
  const [FOLLOWING, BLOCKING] = [
    [0, 1, 2, 3],
    [3, 4],
  ]
  const pairs = members.flatMap((one, first) =>
    members.flatMap((other, second) =>
      one === other ? [] : [{ one, other, kind: (first * 3 + second * 5) % 7 }],
    ),
  )
  const rows = (kinds: number[]) =>
    pairs.filter(({ kind }) => kinds.includes(kind)).map(({ one, other }) => `('${one}', '${other}')`)
  await community.pg.exec(`begin; set local session_replication_role = replica;
    insert into follows (follower_id, following_id) values ${rows(FOLLOWING)};
    insert into blocks (blocker_id, blocked_id) values ${rows(BLOCKING)};
    insert into private.jobs (kind, subject_id) values ('account', '${members[7]}'); commit`)

  const isRelated = (one: string, other: string, kinds: number[]) =>
    pairs.some((pair) => pair.one === one && pair.other === other && kinds.includes(pair.kind))
  const maySee = (reader: string, author: string) =>
    reader === author ||
    (author !== members[7] &&
      (members.indexOf(author) % 2 === 1 || isRelated(reader, author, FOLLOWING)) &&
      !isRelated(reader, author, BLOCKING) &&
      !isRelated(author, reader, BLOCKING))
  for (const reader of members) {
    const seen = members.flatMap((author) => (maySee(reader, author) ? [{ own: reader === author }] : []))
    for (const [table, states] of [
      ['posts', POST_STATES],
      ['stories', STORY_STATES],
    ] as const) {
      const rows = `from ${table} t where user_id = any ('{${members.join()}}')`
      const shown = await as(reader, `select id ${rows} order by id`)
      expect(
        await sql(`select id ${rows} and private.may_read($1, user_id, audience) order by id`, [reader]),
      ).toEqual(shown)
      expect(shown).toHaveLength(seen.reduce((sum, { own }) => sum + (own ? states.length : 2), 0))
    }
  }
})

describe('FEED-16 FEED-22 copies that are older than their post', () => {
  const COPIES = 40
  let reader: string
  let below: string
  const idsOf = (rows: Record<string, unknown>[]) => rows.map(({ id }) => id)

  beforeAll(async () => {
    reader = await community.join('reader')
    below = await community.post(ada, 'Scoria on the #tephra in #Agate')
    const closed = await community.join('closed', { isPrivate: true })
    await sql`insert into posts (user_id, content)
      select ${closed}, 'Scoria on the #tephra and #tephrite' || case when n < 9 then ' in #agate' else '' end
      from generate_series(1, ${COPIES}::integer) as n`
    // As a change of privacy leaves the posts that it has not reached yet.
    await sql`update private.post_words set audience = 'public' where user_id = ${closed}`
    await sql`update post_topics set audience = 'public' where user_id = ${closed}`
    await as(reader)`insert into hashtag_follows (follower_id, tag) values (${reader}, 'tephra')`
  })

  test('show nobody anything of it', async () => {
    expect(await as(reader, `select from post_topics where topic like 'tephri%'`)).toEqual([])
    expect(await as(reader, `select from search_topics('tephrit')`)).toEqual([])
    expect(await as(reader, `select count_topic_posts('hashtag', 'tephra') as posts`)).toEqual([{ posts: 1 }])
    expect(await as(reader, `select from popular_hashtags() where topic = 'tephrite'`)).toEqual([])
  })

  test('take no places of what is below', async () => {
    expect(idsOf(await as(reader, `select id from search_posts('scoria')`))).toEqual([below])
    expect(idsOf(await as(reader, 'select id from following_posts()'))).toEqual([below])
    expect(await as(reader, `select label from search_topics('agat')`)).toEqual([{ label: 'Agate' }])
  })
})

describe('FEED-13 what nobody but its author sees', () => {
  test('ends no feed: posts below it are shown', async () => {
    const [author, fan] = [await community.join('author'), await community.join('fan')]
    await as(fan)`insert into follows (follower_id, following_id) values (${fan}, ${author})`
    const shown = await community.post(author, 'Below')
    for (let n = 0; n < FEED_PAGE; n += 1) await setState(await community.post(author, 'Above'), 'hidden')
    const feed = (member: string) => as(member, 'select id from following_posts()')
    expect(await feed(fan)).toEqual([{ id: shown }])
    expect(await feed(author)).toHaveLength(FEED_PAGE)

    // Of who follows many, whose feed begins among the newest posts of all.
    await sql`insert into follows (follower_id, following_id) select ${fan}, id from profiles where username like 'reader.%'`
    const crowd = Array.from({ length: 50 }, () => randomUUID())
    await sql`insert into auth.users (id, email) select id, id || '@example.com' from unnest(${crowd}::uuid[]) as id`
    await sql`insert into profiles (id, username) select id, 'c' || left(id::text, 8) from unnest(${crowd}::uuid[]) as id`
    await sql`insert into follows (follower_id, following_id) select ${fan}, unnest(${crowd}::uuid[])`
    expect((await feed(fan))[0]).toEqual({ id: shown })
  })

  test('nor do the posts of an account that is being removed', async () => {
    const [gone, stays, fan] = [
      await community.join('gone'),
      await community.join('stays'),
      await community.join('fan.two'),
    ]
    const shown = await community.post(stays, 'Below')
    for (let n = 0; n < FEED_PAGE; n += 1) await community.post(gone, 'Above')
    await sql`insert into follows (follower_id, following_id) select ${fan}, unnest(${[gone, stays]}::uuid[])`
    await sql`insert into private.jobs (kind, subject_id) values ('account', ${gone})`
    expect(await as(fan, 'select id from following_posts()')).toEqual([{ id: shown }])
  })
})
