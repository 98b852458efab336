import { beforeEach, describe, expect, test } from 'vitest'
import { CONVERSATIONS_PAGE } from '#/shared/limits'
import { openCommunity } from './support/community'
import { makeGroup, putInto } from './support/groups'
import { findInconsistencies } from './support/inconsistencies'

const { community, ada, ben, cleo, dan } = await openCommunity('ada', 'ben', 'cleo', 'dan')

beforeEach(async () => {
  await community.sql`delete from conversations`
  await community.sql`delete from blocks`
})

type Folder = 'inbox' | 'requests' | 'archived'

/** A group of Ada with Ben, named so that tests tell groups apart. */
async function groupWithBen(name = 'Harbour'): Promise<string> {
  const group = await makeGroup(community.sql, ada, { name })
  await putInto(community.sql, group, ben, 'in')
  return group
}

async function pairOf(one: string, two: string): Promise<string> {
  const [pair] = await community.as(one)`insert into conversations (participant_1, participant_2)
    values (${one}, ${two}) returning id`
  return String(pair?.id)
}

const write = (member: string, conversation: string, content = 'Hello') =>
  community.as(member)`insert into messages (conversation_id, sender_id, content)
    values (${conversation}, ${member}, ${content}) returning id, created_at`

const readAll = (member: string, conversation: string) =>
  community.as(member)`select mark_read(${conversation}, m.created_at, m.id) from messages m
    where m.conversation_id = ${conversation} order by m.created_at desc, m.id desc limit 1`

const change = (member: string, conversation: string, columns: string) =>
  community.as(member, `update conversation_views set ${columns} where conversation_id = '${conversation}'`)

async function listOf(member: string, folder: Folder = 'inbox'): Promise<unknown[]> {
  const rows = await community.as(member)`select id from my_conversations(in_folder => ${folder})`
  return rows.map(({ id }) => id)
}

const isUnread = async (member: string, group: string) =>
  (await community.as(member)`select conversation_id from unread_groups(array[${group}]::uuid[])`).length ===
  1

const badge = async (member: string) =>
  (await community.as(member)`select unread_conversations() as unread`)[0]?.unread

describe('MSG-01 the list', () => {
  test('has groups and pairs in the order of their last messages, and a group without messages', async () => {
    const quiet = await groupWithBen('Quiet')
    const pair = await pairOf(ada, ben)
    const busy = await groupWithBen('Busy')
    expect(await listOf(ben)).toEqual([busy, quiet])
    await write(ada, busy)
    await write(ada, pair)
    await community.as(ben, `insert into follows (follower_id, following_id) values ('${ben}', '${ada}')`)
    expect(await listOf(ben)).toEqual([pair, busy, quiet])
    await write(ben, quiet)
    expect(await listOf(ben)).toEqual([quiet, pair, busy])
    expect(await listOf(ada)).toEqual([quiet, pair, busy])
    expect(await listOf(cleo)).toEqual([])
    await community.sql`delete from follows`
  })

  test.each([
    ['invited', { inbox: 0, requests: 1, archived: 0 }],
    ['in', { inbox: 1, requests: 0, archived: 0 }],
    ['left', { inbox: 0, requests: 0, archived: 0 }],
    ['removed', { inbox: 0, requests: 0, archived: 0 }],
  ] as const)('has a group in the folder of the state %s', async (state, counts) => {
    const group = await groupWithBen()
    await write(ada, group)
    await putInto(community.sql, group, cleo, state)
    for (const folder of ['inbox', 'requests', 'archived'] as const)
      expect.soft((await listOf(cleo, folder)).length, folder).toBe(counts[folder])
    expect(await community.as(cleo)`select folder, conversations from conversation_folders()`).toEqual(
      state === 'invited' ? [{ folder: 'requests', conversations: 1 }] : [],
    )
    expect([await isUnread(cleo, group), await badge(cleo)]).toEqual(state === 'in' ? [true, 1] : [false, 0])
  })

  test('MSG-15 keeps an archived group archived when somebody writes, and counts it in its folder', async () => {
    const group = await groupWithBen()
    await change(ben, group, `folder = 'archived'`)
    await write(ada, group)
    expect(await listOf(ben)).toEqual([])
    expect(await listOf(ben, 'archived')).toEqual([group])
    expect(await community.as(ben)`select folder, conversations from conversation_folders()`).toEqual([
      { folder: 'archived', conversations: 1 },
    ])
    expect(await isUnread(ben, group)).toBe(true)
    expect(await badge(ben)).toBe(0)
    await change(ben, group, `folder = 'inbox'`)
    expect(await listOf(ben)).toEqual([group])
    expect(await badge(ben)).toBe(1)
  })

  test('MSG-15 has a pinned group on the first page only, in addition', async () => {
    const pinned = await groupWithBen('Pinned')
    await change(ben, pinned, 'pinned_at = now()')
    const groups: string[] = []
    for (let index = 0; index < CONVERSATIONS_PAGE + 1; index += 1) {
      const group = await groupWithBen(`Group ${index}`)
      await write(ada, group)
      groups.unshift(group)
    }
    expect(await listOf(ben)).toEqual([...groups.slice(0, CONVERSATIONS_PAGE), pinned])
    const [last] = await community.sql`select last_message_at as at, id from conversations
      where id = ${groups[CONVERSATIONS_PAGE - 1]}`
    expect(await community.as(ben)`select id from my_conversations(${last?.at}, ${last?.id})`).toEqual([
      { id: groups.at(-1) },
    ])
  })

  test('MSG-15 keeps a group that a member empties: no message would bring it back', async () => {
    const group = await groupWithBen()
    await write(ada, group)
    await change(ben, group, 'pinned_at = now()')
    await change(ben, group, 'cleared_at = now()')
    expect(await listOf(ben)).toEqual([group])
    expect(await community.as(ben)`select id from messages`).toEqual([])
    expect(
      await community.as(ben)`select folder, pinned_at is not null as is_pinned from conversation_views`,
    ).toEqual([{ folder: 'inbox', is_pinned: true }])
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await write(ada, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
    await change(ben, group, `folder = 'archived'`)
    await change(ben, group, 'cleared_at = now()')
    expect(await listOf(ben, 'archived')).toEqual([group])
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('still removes a pair that a member deletes', async () => {
    const pair = await pairOf(ada, ben)
    await write(ada, pair)
    await change(ada, pair, 'cleared_at = now()')
    expect(await listOf(ada)).toEqual([])
  })

  test('of groups only leaves pairs out, also pinned ones', async () => {
    const group = await groupWithBen()
    const pair = await pairOf(ada, cleo)
    await write(ada, pair)
    await change(ada, pair, 'pinned_at = now()')
    const groups = (member: string) =>
      community.as(member)`select id from my_conversations(only_groups => true)`
    expect(await listOf(ada)).toEqual([pair, group])
    expect(await groups(ada)).toEqual([{ id: group }])
    expect(await groups(cleo)).toEqual([])
  })

  test('SET-03 leaves out the pair with an account that is being removed, and the page is full all the same', async () => {
    const gone = await pairOf(ada, dan)
    await write(ada, gone)
    const groups: string[] = []
    for (let index = 0; index < CONVERSATIONS_PAGE - 1; index += 1)
      groups.unshift(await groupWithBen(`Group ${index}`))
    const pair = await pairOf(ada, cleo)
    await write(ada, pair)
    const oldest = await groupWithBen('Oldest')
    await community.sql`update conversations set last_message_at = '2026-01-01' where id = ${oldest}`
    await community.sql`update conversation_views set last_message_at = now() + interval '1 day', listed_at = now() + interval '1 day'
      where conversation_id = ${gone}`
    await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${dan})`
    expect(await listOf(ada)).toEqual([pair, ...groups])
    await community.sql`delete from private.jobs where subject_id = ${dan}`
  })
})

describe('MSG-01 pages', () => {
  const START = Date.parse('2026-05-01')
  const at = (minute: number) => new Date(START + minute * 60_000).toISOString()

  /** Pairs of Ada with strangers and groups, at these minutes, as inserts that the triggers of messages have not seen. */
  async function addListed(minutes: readonly number[], kind: 'pair' | 'group'): Promise<void> {
    for (const [index, minute] of minutes.entries()) {
      let id: string
      if (kind === 'group') id = await makeGroup(community.sql, ada, { name: `Group ${index}` })
      else {
        const other = crypto.randomUUID()
        await community.sql`insert into auth.users (id, email) values (${other}, ${`${other}@example.com`})`
        await community.sql`insert into profiles (id, username, full_name)
          values (${other}, ${`m.${other.slice(0, 8)}`}, 'Member')`
        id = await pairOf(ada, other)
      }
      await community.sql`update conversations set last_message_at = ${at(minute)} where id = ${id}`
      if (kind === 'pair')
        await community.sql`update conversation_views set last_message_at = ${at(minute)}, listed_at = ${at(minute)}
          where conversation_id = ${id}`
    }
  }

  const cursorOf = (row: Record<string, unknown> | undefined) => [
    row?.last_message_at ?? null,
    row?.id ?? null,
  ]

  /** All pages of the inbox, each asked with the last row of the one before. */
  async function readPages(): Promise<unknown[][]> {
    const pages: unknown[][] = []
    let last: Record<string, unknown> | undefined
    do {
      const [beforeAt, beforeId] = cursorOf(last)
      const rows = await community.as(
        ada,
      )`select id, last_message_at::text from my_conversations(${beforeAt}, ${beforeId})`
      pages.push(rows.map(({ id }) => id))
      last = rows.length < CONVERSATIONS_PAGE ? undefined : rows.at(-1)
    } while (last)
    return pages
  }

  const expected = async () =>
    (await community.sql`select id from conversations order by last_message_at desc, id desc`).map(
      ({ id }) => id,
    )

  test('have every pair and group once, in order, also those with the same time', async () => {
    // Every third minute both, and four of a kind at one minute.
    await addListed([...Array.from({ length: 40 }, (_, index) => index * 3), 200, 200, 200, 200], 'pair')
    await addListed([...Array.from({ length: 50 }, (_, index) => index * 2), 200, 200, 200, 200], 'group')
    const pages = await readPages()
    expect(pages.map((page) => page.length)).toEqual([30, 30, 30, 8])
    expect(pages.flat()).toEqual(await expected())
  })

  test('have the pair on top once, whose place in the index is older than groups below it', async () => {
    await addListed([1, 2, 3], 'pair')
    await addListed(
      Array.from({ length: 40 }, (_, index) => index + 10),
      'group',
    )
    const [top] =
      await community.sql`select id from conversations where kind = 'pair' order by last_message_at desc limit 1`
    // What a message does to a pair that is on top of its list already: 0098.
    await community.sql`update conversations set last_message_at = ${at(100)} where id = ${top?.id}`
    await community.sql`update conversation_views set last_message_at = ${at(100)} where conversation_id = ${top?.id}`
    const pages = await readPages()
    expect(pages[0]?.[0]).toBe(top?.id)
    expect(pages.flat()).toEqual(await expected())
  })
})

describe('MSG-07 a group', () => {
  test('is unread until it is read, and again after the next message of another', async () => {
    const group = await groupWithBen()
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await write(ada, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
    expect([await isUnread(ada, group), await badge(ada)]).toEqual([false, 0])
    await readAll(ben, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await write(ben, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await write(ada, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
  })

  test('is unread by a message with the same time as the mark, and the greater id', async () => {
    const group = await groupWithBen()
    const sent = await community.as(ada)`insert into messages (conversation_id, sender_id, content)
      values (${group}, ${ada}, 'One'), (${group}, ${ada}, 'Two') returning id, created_at`
    const [first] = sent.toSorted((one, two) => (String(one.id) < String(two.id) ? -1 : 1))
    await community.as(ben)`select mark_read(${group}, ${first?.created_at}, ${first?.id})`
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
    await readAll(ben, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
  })

  test('is not unread by a message that was unsent', async () => {
    const group = await groupWithBen()
    const [message] = await write(ada, group)
    await community.as(ada)`update messages set deleted_at = now() where id = ${message?.id}`
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
  })

  test('is not unread by what was written before the member joined', async () => {
    const group = await groupWithBen()
    await write(ada, group)
    await putInto(community.sql, group, cleo, 'in', { joinedAt: '2100-01-01' })
    expect([await isUnread(cleo, group), await badge(cleo)]).toEqual([false, 0])
    await community.sql`update conversations set from_start = true where id = ${group}`
    await putInto(community.sql, group, cleo, 'in', { joinedAt: '2100-01-02' })
    expect([await isUnread(cleo, group), await badge(cleo)]).toEqual([true, 1])
  })

  test('SAFE-01 is not unread by a member whom the reader has blocked, and is by another', async () => {
    const group = await groupWithBen()
    await putInto(community.sql, group, cleo, 'in')
    await community.as(ben, `select block_members(array['${ada}'::uuid])`)
    await write(ada, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    expect(await listOf(ben)).toEqual([group])
    // The blocked one does not notice.
    await write(ben, group)
    expect([await isUnread(ada, group), await badge(ada)]).toEqual([true, 1])
    await write(cleo, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
  })

  test('that is muted is unread in the list and not in the badge, until the time is over', async () => {
    const group = await groupWithBen()
    await write(ada, group)
    const mute = (until: string) =>
      community.sql`update conversation_views set muted_until = ${until}::timestamptz where member_id = ${ben}`
    for (const until of ['infinity', '2100-01-01']) {
      await mute(until)
      expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 0])
    }
    await mute('2026-01-01')
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
  })

  test('a muted pair does not count in the badge either', async () => {
    const pair = await pairOf(ada, ben)
    await write(ben, pair)
    expect(await badge(ada)).toBe(1)
    await community.sql`update conversation_views set muted_until = 'infinity' where member_id = ${ada}`
    expect(await badge(ada)).toBe(0)
  })

  test('no member can mute or unmute by hand yet', async () => {
    const group = await groupWithBen()
    await expect(change(ben, group, 'muted_until = now()')).rejects.toMatchObject({ code: '42501' })
  })

  test('SET-03 is not unread by an account that is being removed', async () => {
    const group = await groupWithBen()
    await putInto(community.sql, group, dan, 'in')
    await write(dan, group)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
    await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${dan})`
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await community.sql`delete from private.jobs where subject_id = ${dan}`
  })

  test('stays unread when its writer is suspended; who is suspended has no number', async () => {
    const group = await groupWithBen()
    await write(ada, group)
    const suspend = (member: string) =>
      community.sql`insert into private.member_states (member_id, state, reason) values (${member}, 'suspended', 'Spam')`
    await suspend(ada)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
    await suspend(ben)
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([false, 0])
    await community.sql`delete from private.member_states`
  })

  test('is nobody else’s to ask, and a pair is no group', async () => {
    const group = await groupWithBen()
    const pair = await pairOf(ada, ben)
    await write(ada, group)
    await write(ada, pair)
    for (const [member, conversation] of [
      [cleo, group],
      [ben, pair],
    ] as const)
      expect(await isUnread(member, conversation)).toBe(false)
  })

  test('of a hundred members costs three written rows a message', async () => {
    const group = await groupWithBen()
    for (let index = 0; index < 98; index += 1) {
      const id = crypto.randomUUID()
      await community.sql`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`
      await community.sql`insert into profiles (id, username, full_name) values (${id}, ${`n.${id.slice(0, 8)}`}, 'Member')`
      await putInto(community.sql, group, id, 'in')
    }
    await community.sql`update private.quotas set per_minute = 1000 where kind = 'messages'`
    const [message] = await write(ada, group)
    await community.sql`update private.quotas set per_minute = null where kind = 'messages'`
    const [transaction] = await community.sql`select xmin::text as id from messages where id = ${message?.id}`
    const tables = await community.sql`select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'private') and c.relkind = 'r' order by 1`
    const written = await community.sql(
      tables
        .map(({ name }) => `select '${name}' as name from ${name} where xmin::text = '${transaction?.id}'`)
        .join(' union all '),
    )
    expect(written.map(({ name }) => name).toSorted()).toEqual([
      'private.quota_usage',
      'public.conversations',
      'public.messages',
    ])
    expect([await isUnread(ben, group), await badge(ben)]).toEqual([true, 1])
  })

  test('counts with others to ten, and a hundred of them can be asked about', async () => {
    const groups: string[] = []
    for (let index = 0; index < 101; index += 1) {
      const group = await groupWithBen(`Group ${index}`)
      await write(ada, group)
      groups.push(group)
    }
    expect(await badge(ben)).toBe(10)
    const asked = await community.as(ben)`select conversation_id as id from unread_groups(${groups}::uuid[])`
    expect(asked.map(({ id }) => id).toSorted()).toEqual(groups.slice(0, 100).toSorted())
    expect(await community.as(ben)`select conversation_id from unread_groups('{}')`).toEqual([])
    expect(await community.as(ben)`select conversation_id from unread_groups(null)`).toEqual([])
    for (const group of groups.slice(3)) await readAll(ben, group)
    const pair = await pairOf(ben, cleo)
    await write(cleo, pair)
    expect(await badge(ben)).toBe(4)
  })
})
