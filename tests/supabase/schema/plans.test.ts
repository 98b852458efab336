import { beforeAll, describe, expect, test } from 'vitest'
import { COMMENTS_PAGE, FEED_PAGE, GRID_PAGE, NOTIFICATIONS_PAGE } from '#/shared/limits'
import { openOwnCommunity } from './support/community'
import {
  addCrowd,
  addLikedComments,
  addPopularity,
  addPosts,
  addPostsOf,
  type PopularThings,
} from './support/crowd'
import {
  explainAs,
  explainByIndexes,
  indexesUsed,
  type PlanNode,
  rowsRead,
  sorts,
  wholeTablesRead,
} from './support/plans'

/** The feed query as PostgREST sends it: one lateral join per embedded resource. */
const FEED = `
select p.id, p.user_id, p.content, p.location, p.alt_text, p.thumbnail_url, p.image_width, p.image_height,
  p.like_count, p.comment_count, p.created_at, p.edited_at, author.row, my_like.rows, my_save.rows
from public.posts p
left join lateral (
  select json_build_object('username', a.username, 'full_name', a.full_name, 'avatar_url', a.avatar_url) as row
  from public.profiles a where a.id = p.user_id
) as author on true
left join lateral (
  select json_agg(l.user_id) as rows from public.likes l where l.post_id = p.id and l.user_id = $1
) as my_like on true
left join lateral (
  select json_agg(s.user_id) as rows from public.saved_posts s where s.post_id = p.id and s.user_id = $1
) as my_save on true`
const NEWEST_FIRST = `order by p.created_at desc, p.id desc limit ${FEED_PAGE}`
const FIRST_PAGE = `${FEED} ${NEWEST_FIRST}`
const NEXT_PAGE = `${FEED}
  where p.created_at <= $2 and (p.created_at < $2 or (p.created_at = $2 and p.id < $3)) ${NEWEST_FIRST}`

const { community, viewer, loner } = await openOwnCommunity('viewer', 'loner')
let popular: PopularThings
/** Plans of two feed pages at 100 and at 10,000 posts, for a viewer with 300 follows and one with none. */
let small: Record<string, PlanNode[]>
let large: Record<string, PlanNode[]>

beforeAll(async () => {
  await addCrowd(community, viewer)
  await addPosts(community, viewer, 1, 100)
  small = await readFeeds()
  await addPosts(community, viewer, 101, 10_000)
  large = await readFeeds()
  popular = await addPopularity(community, viewer)
})

/** Explains the first page of the feed and a page from its middle. */
async function readFeeds(): Promise<Record<string, PlanNode[]>> {
  const [middle] = await community.sql(
    'select created_at, id from posts order by created_at offset (select count(*) / 2 from posts) limit 1',
  )
  const from = [middle?.created_at, middle?.id]
  return {
    'first page, 300 followed': await explainAs(community, viewer, FIRST_PAGE, [viewer]),
    'next page, 300 followed': await explainAs(community, viewer, NEXT_PAGE, [viewer, ...from]),
    'first page, nobody followed': await explainAs(community, loner, FIRST_PAGE, [loner]),
    'next page, nobody followed': await explainAs(community, loner, NEXT_PAGE, [loner, ...from]),
  }
}

describe('FEED-09 the feed with public and private authors', () => {
  test.each([
    'first page, 300 followed',
    'next page, 300 followed',
    'first page, nobody followed',
    'next page, nobody followed',
  ])('%s: reads no more rows at 10,000 posts than at 100', (page) => {
    const [before, after] = [small[page] ?? [], large[page] ?? []]
    expect(sorts(after)).toEqual([])
    expect(indexesUsed(after)).toContain('posts_feed_idx')
    expect(rowsRead(after)).toBeLessThanOrEqual(rowsRead(before))
    // Per post: the post, its author, the viewer's like, which needs no check of the post; and the skipped posts of
    // private accounts, a quarter of all with follows and half without.
    expect(rowsRead(after)).toBeLessThanOrEqual(FEED_PAGE * 6)
  })

  test('reads the follows of the viewer once per request, not once per post', () => {
    const sets = (large['first page, 300 followed'] ?? []).filter((node) => node.type === 'ProjectSet')
    // The policy of posts reads the follows; the policies of posts and profiles read the hidden members. The viewer's like
    // needs no check of the post, but likes and saves leave out removed posts, of which there are none.
    expect(sets.map((node) => node.rows).toSorted((a, b) => b - a)).toEqual([300, 1, 1, 0, 0, 0, 0, 0])
  })
})

interface Read {
  name: string
  index: string
  /** $1 is the viewer, $2 the id of `about`. */
  sql: string
  /** The kind of row whose list is read. */
  about?: keyof PopularThings
  page: number
}

const READS: Read[] = [
  {
    name: 'PROF-06 the grid of a profile',
    index: 'posts_user_idx',
    sql: 'select id, thumbnail_url from posts where user_id = $2 order by created_at desc, id desc',
    about: 'author',
    page: GRID_PAGE,
  },
  {
    name: 'FEED-06 the comments of a post',
    index: 'comments_post_idx',
    sql: 'select id, content from comments where post_id = $2 order by created_at, id',
    about: 'post',
    page: COMMENTS_PAGE,
  },
  {
    name: 'NOTE-01 notifications',
    index: 'notifications_time_idx',
    sql: 'select id, type from notifications where user_id = $1 order by created_at desc, id desc',
    page: NOTIFICATIONS_PAGE,
  },
  {
    name: 'MSG-03 a conversation',
    index: 'messages_conversation_idx',
    sql: 'select id, content from messages where conversation_id = $2 order by created_at desc, id desc',
    about: 'conversation',
    page: 50,
  },
  {
    name: 'PROF-12 who liked a post',
    index: 'likes_post_idx',
    sql: 'select user_id from likes where post_id = $2 order by created_at desc, user_id desc',
    about: 'post',
    page: GRID_PAGE,
  },
  {
    name: 'PROF-12 who follows a member',
    index: 'follows_following_idx',
    sql: 'select follower_id from follows where following_id = $2 order by created_at desc, follower_id desc',
    about: 'author',
    page: GRID_PAGE,
  },
  {
    name: 'PROF-07 saved posts',
    index: 'saved_posts_user_idx',
    sql: 'select post_id from saved_posts where user_id = $1 order by created_at desc, post_id desc',
    page: GRID_PAGE,
  },
  {
    name: 'PROF-08 posts a member is tagged in',
    index: 'post_tags_tagged_user_idx',
    sql: 'select post_id from post_tags where tagged_user_id = $2 order by created_at desc, post_id desc',
    about: 'author',
    page: GRID_PAGE,
  },
  {
    name: 'STORY-02 stories that have not expired',
    index: 'stories_expires_idx',
    sql: 'select id from stories where expires_at > now() order by expires_at desc, id desc',
    page: GRID_PAGE,
  },
]

describe('PROF-06 the grid of a member with 1,000 posts and that of one with twenty', () => {
  const columns = 'id, content, thumbnail_url, alt_text'
  const first = `select ${columns} from posts where user_id = $1 order by created_at desc, id desc limit 20`
  const later = `select ${columns} from posts where user_id = $1 and created_at <= $2
    and (created_at < $2 or id < $3) order by created_at desc, id desc limit 20`

  test('read the same number of rows from one index, also far down and for a followed private account', async () => {
    const read: Record<string, unknown> = {}
    for (const posts of [20, 1_000]) {
      const [open, closed] = [`open.${posts}`, `closed.${posts}`]
      const author = await community.join(open)
      await addPostsOf(community, author, posts)
      const shy = await community.join(closed, { isPrivate: true })
      await community.as(viewer)`insert into follow_requests (requester_id, target_id)
        values (${viewer}, ${shy})`
      await community.as(shy)`select accept_follow_request(${viewer})`
      await addPostsOf(community, shy, posts)
      const [middle] = await community.sql`select created_at, id from posts where user_id = ${author}
        order by created_at, id offset 500 limit 1`
      const plans = [
        await explainAs(community, viewer, first, [author]),
        await explainAs(community, viewer, first, [shy]),
        ...(middle
          ? [await explainAs(community, viewer, later, [author, middle.created_at, middle.id])]
          : []),
      ]
      for (const nodes of plans) {
        // For twenty rows, sorting is as good as an index scan.
        if (posts > 20) expect(sorts(nodes)).toEqual([])
        expect(indexesUsed(nodes)).toEqual(['posts_user_idx'])
      }
      read[posts] = plans.map(rowsRead)
    }
    // A later page also reads the last post of the page before it.
    expect(read).toEqual({ 20: [20, 20], 1000: [20, 20, 21] })
  })
})

describe('lists are read from one index without sorting', () => {
  test.each(READS)('$name', async ({ index, sql, about, page }) => {
    const subject = about === undefined ? [] : [popular[about]]
    // Every query must use $1, so that PostgreSQL can infer its type.
    const query = `select * from (${sql} limit ${page}) as list where $1::uuid is not null`
    const nodes = await explainAs(community, viewer, query, [viewer, ...subject])
    expect(sorts(nodes)).toEqual([])
    expect(indexesUsed(nodes)).toContain(index)
    expect(wholeTablesRead(nodes)).toEqual([])
    // Each row and the rows that its policy reads, for at most twice the page: half of the members are private.
    expect(rowsRead(nodes)).toBeLessThanOrEqual(page * 6)
  })

  test('NOTE-02 the bell reads ten of three thousand rows', async () => {
    const nodes = await explainAs(
      community,
      viewer,
      'select count(*) from (select 1 from notifications where user_id = $1 and not read limit 10) as unread',
      [viewer],
    )
    expect(rowsRead(nodes)).toBe(10)
  })
})

describe('MEDIA-01 the rights on objects', () => {
  const SIGNED = 35
  let keys: unknown[]

  beforeAll(async () => {
    // Without triggers, which check each object.
    await community.pg.exec(`
      begin;
      set local session_replication_role = replica;
      insert into post_media (user_id, post_id, position, full_path, feed_path, grid_path, width, height, thumbhash)
        select user_id, id, 0, folder || gen_random_uuid() || '.webp',
          folder || gen_random_uuid() || '.webp', folder || gen_random_uuid() || '.webp', 4, 3, 'AAAA'
        from (select id, user_id, user_id || '/' as folder from posts order by created_at desc limit 3000) as newest;
      insert into storage.objects (bucket_id, name, metadata)
        select 'media', key, '{"size": 1000}' from post_media, unnest(array[full_path, feed_path, grid_path]) as key;
      insert into conversations (kind) select 'group' from generate_series(1, 1000);
      commit;
      analyze post_media, conversations, storage.objects`)
    keys = (await community.sql(`select feed_path from post_media order by id limit ${SIGNED}`)).map(
      ({ feed_path }) => feed_path,
    )
  })

  test('of a page of pictures are read with one row of each table per picture', async () => {
    const nodes = await explainAs(
      community,
      viewer,
      `select id, name from storage.objects where bucket_id = 'media' and name = any ($1)`,
      [keys],
    )
    const used = new Set(indexesUsed(nodes))
    expect([...used]).toEqual(
      expect.arrayContaining(['bucketid_objname', 'post_media_feed_path_key', 'posts_pkey']),
    )
    // The object, its photo and the post. An object that the viewer may not see is in no other column.
    expect(rowsRead(nodes)).toBeLessThanOrEqual(SIGNED * 3)
    const read = wholeTablesRead(nodes).filter(({ rows, removed }) => rows + removed > 0)
    expect(read).toEqual([])
  })

  test('are the same from visible_objects', async () => {
    const selected = await community.as(viewer)`select name from storage.objects where name = any (${keys})`
    const visible = await community.as(viewer)`select distinct key as name
      from private.visible_objects(${keys}) as key`
    const names = (rows: Record<string, unknown>[]) => rows.map(({ name }) => String(name)).toSorted()
    expect(names(visible)).toEqual(names(selected))
    expect(visible.length).toBeGreaterThan(SIGNED / 2)
    expect(visible.length).toBeLessThan(SIGNED)
  })
})

test('SAFE-01 a block reads few of the comments that the other member likes, however many', async () => {
  const liker = await community.join('liker')
  await addLikedComments(community, liker, 5_000)
  const read: Record<string, number> = {}
  for (const { place, rule } of await community.sql('select place::text, rule from private.traces()')) {
    const nodes = await explainByIndexes(community, `select from ${place} t where ${rule}`, [[loner, liker]])
    read[String(place)] = Math.max(read[String(place)] ?? 0, rowsRead(nodes))
  }
  expect(
    Object.values(read).every((rows) => rows < 100),
    JSON.stringify(read),
  ).toBe(true)
})
