import { beforeEach, describe, expect, test } from 'vitest'
import { BADGE_MAX, GROUP_ACTORS_MAX, NOTIFICATIONS_PAGE } from '#/shared/limits'
import { openOwnCommunity } from './support/community'
import { inBulk } from './support/crowd'
import { explainAs, indexesUsed, rowsRead } from './support/plans'

const { community, ada, ben, cleo } = await openOwnCommunity('ada', 'ben', 'cleo')
const post = await community.post(ada, 'Low tide')
const other = await community.post(ada, 'High tide')
beforeEach(() => community.pg.exec('delete from notifications; delete from mutes; delete from blocks'))

interface Given {
  actor?: string
  type?: string
  post?: string | null
  at?: string
  read?: boolean
}

/** Inserts a notification of Ada; at a time of one day. */
const notify = async ({
  actor = ben,
  type = 'like',
  post: about = post,
  at = '10:00',
  read = false,
}: Given = {}) => {
  const [day, time] = at.includes(' ') ? at.split(' ') : ['2026-11-20', at]
  await community.sql(
    `insert into notifications (user_id, actor_id, type, post_id, message, read, created_at)
     values ($1, $2, $3, $4, case $3 when 'other' then 'asked' end, $5, $6::timestamptz)`,
    [ada, actor, type, about, read, `${day}T${time}Z`],
  )
}

const groups = () => community.as(ada, 'select * from notification_groups()')
/** Pages of Ada's groups, until a page is empty or, without a last row that starts the next page, not full. */
const pages = async () => {
  const all: Awaited<ReturnType<typeof groups>>[] = []
  for (;;) {
    const last = all.at(-1)?.at(-1)
    const page = await community.as(ada)`select *
      from notification_groups(${last?.created_at ?? null}, ${last?.id ?? null})`
    all.push(page)
    if (page.length < NOTIFICATIONS_PAGE && page.at(-1)?.actor_count !== 0) return all
  }
}
const shown = async () =>
  (await groups()).map(({ type, post_id, actor_count, actors, read }) => [
    type,
    post_id,
    (actors as { username: string }[]).map(({ username }) => username).join(),
    actor_count,
    read,
  ])
const unread = async () => (await community.as(ada, 'select unread_notifications() as n'))[0]?.n

describe('NOTE-06 a group', () => {
  test('has the notifications of one type about one post; the latest group and the latest actor come first', async () => {
    await notify({ at: '10:00' })
    await notify({ post: other, at: '10:01' })
    await notify({ actor: cleo, at: '10:02' })
    expect(await shown()).toEqual([
      ['like', post, 'cleo,ben', 2, false],
      ['like', other, 'ben', 1, false],
    ])
    expect(await unread(), 'NAV-02 notifications, not groups').toBe(3)
    const [latest] = await groups()
    expect(latest).toMatchObject({ content: 'Low tide', about: null, story_id: null })
  })

  test('has the follows of a day, but each notification of type `other` is one', async () => {
    await notify({ type: 'follow', post: null, at: '2026-11-19 23:59' })
    await notify({ type: 'follow', actor: cleo, post: null, at: '2026-11-20 00:00' })
    await notify({ type: 'other', post: null, at: '09:00' })
    await notify({ type: 'other', actor: cleo, post: null, at: '09:01' })
    expect((await shown()).map(([type, , names]) => `${type} ${names}`)).toEqual([
      'other cleo',
      'other ben',
      'follow cleo',
      'follow ben',
    ])
    expect(await unread()).toBe(4)
    await community.sql('delete from notifications')
    await notify({ type: 'follow', post: null, at: '00:00' })
    await notify({ type: 'follow', actor: cleo, post: null, at: '23:59' })
    expect(await shown()).toEqual([['follow', null, 'cleo,ben', 2, false]])
  })

  test('counts a member once, shows the text of the latest comment, and is read when all of it is', async () => {
    for (const content of ['First', 'Second'])
      await community.as(ben)`insert into comments (post_id, user_id, content)
        values (${post}, ${ben}, ${content})`
    expect(await groups()).toMatchObject([
      { type: 'comment', actor_count: 1, content: 'Second', read: false },
    ])
    const [row] = await community.sql('select id from notifications order by created_at limit 1')
    await community.as(ada)`update notifications set read = true where id = ${row?.id}`
    expect(await groups()).toMatchObject([{ read: false }])
    expect(await unread()).toBe(1)
    await community.as(ada, 'update notifications set read = true where read = false')
    expect(await groups()).toMatchObject([{ read: true }])
    expect(await unread()).toBe(0)
    await community.sql('delete from comments')
  })

  test('SAFE-01 SAFE-02 leaves out muted and blocked members, in its count too', async () => {
    await notify({ at: '10:00' })
    await notify({ actor: cleo, at: '10:01' })
    await community.as(ada)`insert into mutes (muter_id, muted_id) values (${ada}, ${cleo})`
    expect(await shown()).toEqual([['like', post, 'ben', 1, false]])
    expect(await unread()).toBe(1)
    await community.sql`update notifications set read = true where actor_id = ${ben}`
    expect(await shown()).toEqual([['like', post, 'ben', 1, true]])
    expect(await unread()).toBe(0)
    await community.as(ben)`select block_members(array[${ada}]::uuid[])`
    expect(await groups()).toEqual([])
  })

  test('cannot be changed by clients', async () => {
    await notify()
    await expect(community.as(ada, `update notifications set group_key = 'mine'`)).rejects.toThrow()
  })
})

describe('NOTE-06 of a member with many notifications', () => {
  const ROWS = 4_000

  /** Inserts likes without triggers and foreign keys, of an actor and of a post for each number `n`. */
  const addLikes = (actor: string, about: string, rows = ROWS) =>
    inBulk(community, async () => {
      await community.sql(
        `insert into notifications (user_id, actor_id, type, post_id, created_at)
         select $1, ${actor}, 'like', ${about}, timestamptz '2026-01-01' + n * interval '1 minute'
         from generate_series(1, ${rows}) as n`,
        [ada],
      )
      await community.pg.exec('analyze notifications')
    })

  test('the list has the latest twenty groups, and the badge counts to ten', async () => {
    await addLikes(`'${ben}'`, `md5('post ' || n)::uuid`)
    expect(await groups()).toHaveLength(NOTIFICATIONS_PAGE)
    expect(await unread()).toBe(BADGE_MAX + 1)
  })

  test('NOTE-01 each group is on one page, where its latest notification is', async () => {
    await addLikes(`md5('actor ' || n)::uuid`, `md5('post ' || n % 45)::uuid`)
    const [first, second, third] = await pages()
    expect([first, second, third].map((page) => page?.length)).toEqual([20, 20, 5])
    const all = [first, second, third].flatMap((page) => page ?? [])
    expect(new Set(all.map(({ group_key }) => group_key)).size).toBe(45)
    const [latest] = await community.sql(
      'select array_agg(id order by created_at desc) as ids from (select distinct on (group_key) id, created_at from notifications order by group_key, created_at desc) as heads',
    )
    expect(all.map(({ id }) => id)).toEqual(latest?.ids)
  })

  test('SAFE-02 a group whose later notifications are by a muted member is where the others are', async () => {
    await notify({ at: '2025-12-31 10:00', post: other })
    await addLikes(`md5('actor ' || n)::uuid`, `md5('post ' || n % 30)::uuid`)
    await notify({ actor: cleo, at: '2026-11-20 10:00', post: other })
    expect((await pages()).map((page) => page.map(({ post_id }) => post_id).indexOf(other))).toEqual([0, -1])
    await community.as(ada)`insert into mutes (muter_id, muted_id) values (${ada}, ${cleo})`
    expect((await pages()).map((page) => page.map(({ post_id }) => post_id).indexOf(other))).toEqual([-1, 10])
  })

  test('NOTE-01 a page ends after 5,000 notifications, and the next one continues there', async () => {
    await notify({ actor: cleo, post: other, at: '2025-12-31 10:00' })
    await addLikes(`md5('actor ' || n)::uuid`, `'${post}'::uuid`, 5_100)
    const [first, second, ...none] = await pages()
    expect(first).toMatchObject([{ post_id: post }, { actor_count: 0, actors: null }])
    expect(second).toMatchObject([{ post_id: other, actor_count: 1 }])
    expect(none).toEqual([])
    // The row that ends a page must be visible.
    const [ending] = await community.sql`select actor_id from notifications where id = ${first?.at(-1)?.id}`
    await community.sql`update notifications set actor_id = ${ben} where actor_id = ${ending?.actor_id}`
    await community.as(ben)`select block_members(array[${ada}]::uuid[])`
    expect((await pages()).map((page) => page.map(({ post_id }) => post_id))).toEqual([[post, post], [other]])
  })

  test('NAV-02 counts at most one other member more than the bell shows, and stops counting in an index after ten', async () => {
    await notify({ post: other, at: '2025-12-31 10:00' })
    await addLikes(`md5('actor ' || n)::uuid`, `'${post}'::uuid`)
    // The actors of the first group have no profiles.
    expect(await groups()).toMatchObject([
      { post_id: post, actor_count: GROUP_ACTORS_MAX + 2, actors: null },
      { post_id: other, actor_count: 1 },
    ])
    expect(await unread()).toBe(BADGE_MAX + 1)
    const nodes = await explainAs(
      community,
      ada,
      'select 1 from notifications where user_id = $1 and not read order by group_key limit 10',
      [ada],
    )
    expect(indexesUsed(nodes)).toEqual(['notifications_unread_group_idx'])
    expect(rowsRead(nodes)).toBeLessThanOrEqual(BADGE_MAX + 1)
  })
})
