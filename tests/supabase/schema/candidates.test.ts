import { beforeAll, expect, test } from 'vitest'
import { FEED_PAGE } from '#/shared/limits'
import { openOwnCommunity, withoutTriggers } from './support/community'

const MEMBERS = 12
const POSTS = 240
const TAGS = ['basalt', 'breccia', 'chert', 'chalk']
const STATES = ['visible', 'warned', 'hidden', 'archived']

const { community } = await openOwnCommunity()
const { as, sql } = community
const members: string[] = []
let removed: string

beforeAll(async () => {
  for (let n = 0; n < MEMBERS; n += 1)
    members.push(await community.join(`walker.${n}`, { isPrivate: n % 3 === 0 }))
  const pairs = members.flatMap((one, first) =>
    members.flatMap((other, second) =>
      one === other ? [] : [{ one, other, kind: (first * 5 + second * 3) % 11 }],
    ),
  )
  const rows = (...kinds: number[]) =>
    JSON.stringify(pairs.filter(({ kind }) => kinds.includes(kind)).map(({ one, other }) => [one, other]))
  await sql`insert into follows (follower_id, following_id)
    select (pair->>0)::uuid, (pair->>1)::uuid from jsonb_array_elements(${rows(0, 1, 2, 3, 4)}::jsonb) as pair`
  await sql`insert into mutes (muter_id, muted_id)
    select (pair->>0)::uuid, (pair->>1)::uuid from jsonb_array_elements(${rows(5)}::jsonb) as pair`
  await sql`insert into hashtag_follows (follower_id, tag)
    select id, tag from unnest(${members}::uuid[]) with ordinality as m (id, n), unnest(${TAGS}::text[]) with ordinality as t (tag, k) where (n + k) % 3 > 0`
  await sql`insert into posts (user_id, content, location, created_at)
    select (${members}::uuid[])[1 + n % ${MEMBERS}::integer], format('A cliff of #%s, number%s', (${TAGS}::text[])[1 + n / 3 % 4], n % 7), 'Cliff ' || n % 4,
      now() - n * interval '1 minute'
    from generate_series(1, ${POSTS}::integer) as n`
  await sql`select private.set_item_state('public.posts', array[id], (${STATES}::text[])[1 + place % 4])
    from (select id, row_number() over (order by created_at)::integer as place from posts) as p where place % 5 = 0`
  removed = String(members.splice(7, 1))
  // Blocks without their triggers, so that follows stay, as while a block is unfinished; and an account that is being removed.
  await withoutTriggers(
    community,
    () => sql`insert into blocks (blocker_id, blocked_id)
      select (pair->>0)::uuid, (pair->>1)::uuid from jsonb_array_elements(${rows(4, 6)}::jsonb) as pair`,
  )
  await sql`insert into private.jobs (kind, subject_id) values ('account', ${removed})`
})

/** What a member finds by way of candidates: the pages of Following, and what the search finds. */
async function findings(member: string) {
  const pages: unknown[] = []
  let last: Record<string, unknown> | undefined
  do {
    const page = await as(
      member,
    )`select id, created_at from following_posts(${last?.created_at ?? null}, ${last?.id ?? null})
      order by created_at desc, id desc`
    pages.push(...page.map(({ id }) => id))
    last = page.length === FEED_PAGE ? page.at(-1) : undefined
  } while (last !== undefined)
  const words = ['cliff', 'number3', 'basalt number5', 'ch']
  const posts = await as(
    member,
  )`select word, id from unnest(${words}::text[]) as word, search_posts(word) order by 1, created_at desc, id desc`
  const topics = await as(
    member,
  )`select word, kind, topic from unnest(${words}::text[]) as word, search_topics(word) order by 1, 2, 3`
  return { pages, posts, topics }
}

const WALKS = ['following_post_ids', 'followed_hashtag_post_ids', 'found_post_ids', 'found_topics']

/** The walks without what they leave out early, and without bounds: whatever they then propose, the policy decides. */
async function liftFilters(): Promise<string[]> {
  await sql(
    `create function private.nobody_at_all() returns setof uuid language sql as 'select null::uuid where false'`,
  )
  const walks = await sql`select proname as name, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'private'::regnamespace and proname = any (${WALKS}) order by 1`
  for (const { name, text } of walks) {
    const lifted = String(text)
      .replaceAll('private.my_hidden_ids()', 'private.nobody_at_all()')
      .replaceAll(/\b\w+\.audience (?:=|<>) '\w+'/g, 'true')
      .replaceAll(/(\bmost\w* constant integer := )\d+/g, '$1100000')
    expect(lifted, String(name)).not.toMatch(/audience (?:=|<>)/)
    expect(lifted, String(name)).not.toBe(text)
    await sql(lifted)
  }
  return walks.map(({ name }) => String(name))
}

test('FEED-13 FEED-16 FEED-22 walks over follows, topics and words only leave out what the policy of posts would', async () => {
  const filtered = []
  for (const member of members) filtered.push(await findings(member))
  expect(Math.max(...filtered.map(({ pages }) => pages.length))).toBeGreaterThan(50)
  expect(
    Math.min(...filtered.map(({ posts, topics }) => Math.min(posts.length, topics.length))),
  ).toBeGreaterThan(0)
  expect(await liftFilters()).toEqual(WALKS.toSorted())
  for (const [index, member] of members.entries())
    expect.soft(await findings(member), String(index)).toEqual(filtered[index])
})
