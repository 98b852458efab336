import { beforeAll, describe, expect, test } from 'vitest'
import {
  BADGE_MAX,
  CONVERSATIONS_PAGE,
  FOLDER_COUNT_MAX,
  GRID_PAGE,
  MESSAGE_SEARCH,
  MESSAGES_PAGE,
  PEOPLE_PAGE,
  PINNED_MOST,
} from '#/shared/limits'
import { openOwnCommunity } from './support/community'
import { addConversations } from './support/conversations'
import { addCrowd, inBulk } from './support/crowd'
import {
  indexesUsed as allIndexesUsed,
  blocksRead,
  explainAs,
  type PlanNode,
  rowsRead,
  sorts,
  wholeTablesRead,
} from './support/plans'

const { community, viewer, storyteller } = await openOwnCommunity('viewer', 'storyteller')
let conversation: string

beforeAll(async () => {
  await addCrowd(community, viewer)
  conversation = await addConversations(community, viewer, storyteller)
})

interface Argument {
  name: string
  type: string
  value: unknown
}

/** Explains the body of an API function with the function's settings, because `explain` does not show it. */
async function explainFunction(name: string, callArguments: Argument[] = []): Promise<PlanNode[]> {
  const [definition] = await community.sql(
    `select prosrc as body, (
       select string_agg('set ' || setting, ';') from unnest(proconfig) as setting where setting !~ '^search_path='
     ) as settings
     from pg_proc where oid = $1::regproc`,
    [`public.${name}`],
  )
  const written = String(definition?.body)
  const [, query = written] = /\bbegin\s+return\s+(?:query\s+)?([\s\S]*);\s*end\s*$/.exec(written) ?? []
  const body = callArguments.reduce(
    (sql, argument, index) => sql.replaceAll(argument.name, `$${index + 1}::${argument.type}`),
    query,
  )
  await community.pg.exec(String(definition?.settings ?? ''))
  try {
    return await explainAs(
      community,
      viewer,
      body,
      callArguments.map(({ value }) => value),
    )
  } finally {
    await community.pg.exec('reset all')
  }
}

/** Row security looks up with it which messages the member has deleted. */
const CLEARED_INDEX = 'conversation_views_pkey'

/** Both indexes of views have the two columns of that look-up, so either finds one row. */
const indexesUsed = (nodes: PlanNode[]) =>
  allIndexesUsed(nodes).map((name) => (name === 'conversation_views_conversation_idx' ? CLEARED_INDEX : name))

function of(table: string, nodes: PlanNode[]): PlanNode[] {
  return nodes.filter(({ relation }) => relation === table)
}

describe('at 40,000 messages in 1,000 conversations', () => {
  test('MSG-01 a page of conversations reads thirty rows in index order', async () => {
    const [middle] = await community.sql`
      select last_message_at, id from conversations where ${viewer} in (participant_1, participant_2)
       order by 1 desc, 2 desc offset 300 limit 1`
    await expectShortPage({ last_message_at: null, id: null })
    await expectShortPage(middle ?? {})
  })

  async function expectShortPage({ last_message_at, id }: Record<string, unknown>): Promise<void> {
    const nodes = await explainFunction('my_conversations', [
      { name: 'before_at', type: 'timestamptz', value: last_message_at },
      { name: 'before_id', type: 'uuid', value: id },
      { name: 'in_folder', type: 'text', value: 'inbox' },
      { name: 'only_groups', type: 'boolean', value: false },
    ])
    expect(nodes[0]?.rows).toBe(CONVERSATIONS_PAGE)
    expect(indexesUsed(nodes)).toContain('conversation_views_list_idx')
    // The page and the pinned conversations are put in one order.
    expect(sorts(nodes).filter(({ rows }) => rows > CONVERSATIONS_PAGE + PINNED_MOST)).toEqual([])
    // After a cursor, also the view of the conversation that it is of, and the view after the page.
    expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * CONVERSATIONS_PAGE + (id === null ? 0 : 2))
  }

  test('MSG-01 the conversation list reads one last message per conversation', async () => {
    const nodes = await explainAs(
      community,
      viewer,
      `select c.id, last.message from my_conversations() as c
       left join lateral (
         select json_agg(m) as message from (
           select id, content from messages m where m.conversation_id = c.id
           order by created_at desc, id desc limit 1
         ) as m
       ) as last on true`,
    )
    expect(new Set(indexesUsed(nodes))).toEqual(new Set(['messages_conversation_idx', CLEARED_INDEX]))
    expect(sorts(nodes)).toEqual([])
    expect(rowsRead(of('messages', nodes))).toBeLessThanOrEqual(CONVERSATIONS_PAGE)
  })

  test('MSG-12 a page of 16,000 messages is read in index order, with the messages they reply to', async () => {
    const [middle] = await community.sql`select created_at, id from messages
      where conversation_id = ${conversation} order by 1, 2 offset 8000 limit 1`
    const page = (older: string) => `
      select m.id, m.content, reply.content, story.thumbnail_url from messages m
      left join lateral (select * from messages r where r.id = m.reply_to_id) as reply on true
      left join lateral (select * from stories s where s.id = m.story_id) as story on true
      where m.conversation_id = $1 ${older}
      order by m.created_at desc, m.id desc limit ${MESSAGES_PAGE}`
    const older = 'and m.created_at <= $2 and (m.created_at < $2 or (m.created_at = $2 and m.id < $3))'
    for (const nodes of [
      await explainAs(community, viewer, page(''), [conversation]),
      await explainAs(community, viewer, page(older), [conversation, middle?.created_at, middle?.id]),
    ]) {
      expect(nodes[0]?.rows).toBe(MESSAGES_PAGE)
      expect(sorts(nodes)).toEqual([])
      expect(indexesUsed(nodes)).toContain('messages_conversation_idx')
      expect(rowsRead(of('messages', nodes))).toBeLessThanOrEqual(MESSAGES_PAGE + 5)
      // Whether the member has deleted the conversation: a row for each message.
      expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * (MESSAGES_PAGE + 5))
    }
  })

  test('FEED-21 the photos of a conversation are found without reading the messages between them', async () => {
    const nodes = await explainAs(
      community,
      viewer,
      `select id from messages where conversation_id = $1 and media_id is not null
       order by created_at desc, id desc limit ${GRID_PAGE}`,
      [conversation],
    )
    expect(indexesUsed(of('messages', nodes))).toEqual(['messages_media_idx'])
    expect(sorts(nodes)).toEqual([])
    expect(rowsRead(of('messages', nodes))).toBe(0)
  })

  test('MSG-05 marking a conversation of 16,000 messages as read begins where the last marking ended', async () => {
    await community.sql`update messages set read = true where conversation_id = ${conversation} and not read`
    // All unread ones were from one of the two.
    const [{ reader } = {}] = await community.sql`select member_id as reader from conversation_members
      where conversation_id = ${conversation} and read_at is not null`
    if (reader !== viewer)
      await community.sql`insert into auth.sessions (id, user_id) values (${reader}, ${reader})`
    const [message] = await community.sql`insert into messages (conversation_id, sender_id, content)
      select ${conversation}, member_id, 'one more' from conversation_members
      where conversation_id = ${conversation} and member_id <> ${reader} returning created_at, id`
    const mark = `select mark_read('${conversation}', '${message?.created_at}', '${message?.id}')`
    // One message and what reading it writes. Looking at all messages takes over ten thousand.
    expect(await blocksRead(community, String(reader), mark)).toBeLessThan(500)
  })

  test('MSG-03 MSG-05 MSG-14 what a member has deleted, or was written before they joined, is not looked at', async () => {
    const [middle] = await community.sql`select created_at, id from messages
      where conversation_id = ${conversation} order by created_at desc, id desc offset 20 limit 1`
    const from = String(middle?.created_at)
    const [newest] = await community.sql`select created_at, id from messages
      where conversation_id = ${conversation} order by created_at desc, id desc limit 1`
    // As the app asks for a page, with the time that the own view says.
    const page = `select id from messages where conversation_id = '${conversation}' and created_at >= '${from}'
      order by created_at desc, id desc limit ${MESSAGES_PAGE}`
    const reads = [
      page,
      `select * from search_messages('zzyzx', '${conversation}')`,
      `select mark_read('${conversation}', '${newest?.created_at}', '${newest?.id}')`,
    ]
    for (const column of ['cleared_at', 'reads_after']) {
      const [view] = await community.sql(
        `select ${column} as before from conversation_views where member_id = $1 and conversation_id = $2`,
        [viewer, conversation],
      )
      const set = (time: unknown) =>
        community.sql(
          `update conversation_views set ${column} = $1 where member_id = $2 and conversation_id = $3`,
          [time, viewer, conversation],
        )
      await set(from)
      // Twenty messages, and not 16,000 of which each is looked up. The first call makes the plans.
      for (const read of reads) {
        await blocksRead(community, viewer, read)
        // A search also finds own messages from before.
        const most = read.includes('search') && column === 'reads_after' ? 5 * MESSAGE_SEARCH.read : 500
        expect.soft(await blocksRead(community, viewer, read), `${column}: ${read}`).toBeLessThan(most)
      }
      await set(view?.before)
    }
  })

  test('MSG-14 a search reads 2,000 messages of the member in index order, whatever the query', async () => {
    const search = (query: string, inConversation: string | null) =>
      explainFunction('search_messages', [
        { name: 'in_conversation', type: 'uuid', value: inConversation },
        { name: 'query', type: 'text', value: query },
        { name: 'before_at', type: 'timestamptz', value: null },
        { name: 'before_id', type: 'uuid', value: null },
      ])
    for (const query of ['message', 'zzyzx', '100 %']) {
      const nodes = await search(query, null)
      expect(indexesUsed(of('messages', nodes)).toSorted()).toEqual([
        'messages_recipient_time_idx',
        'messages_sender_time_idx',
      ])
      expect(wholeTablesRead(of('messages', nodes))).toEqual([])
      expect(rowsRead(of('messages', nodes))).toBeLessThanOrEqual(2 * MESSAGE_SEARCH.read)
    }
    const nodes = await search('zzyzx', conversation)
    // The other one for own messages from before the member joined once more, of which a pair has none.
    expect(indexesUsed(of('messages', nodes))).toEqual([
      'messages_conversation_idx',
      'messages_sender_time_idx',
    ])
    expect(rowsRead(of('messages', nodes))).toBeLessThanOrEqual(MESSAGE_SEARCH.read)
  })

  test('MSG-07 the badge reads the newest conversations, until ten of them are unread', async () => {
    const nodes = await explainFunction('unread_conversations')
    expect(new Set(indexesUsed(nodes))).toEqual(
      // The own view is asked for groups only, of which there are none: no row of it is read, see below.
      new Set([
        'conversation_views_list_idx',
        'conversation_views_groups_idx',
        'conversations_pkey',
        CLEARED_INDEX,
      ]),
    )
    expect(rowsRead(of('conversations', nodes))).toBe(BADGE_MAX + 1)
    const [needed] = await community.sql(
      `select place::integer from (
         select unread, row_number() over (order by listed_at desc, conversation_id desc) as place
         from conversation_views where member_id = $1
       ) as listed where unread order by place offset ${BADGE_MAX} limit 1`,
      [viewer],
    )
    expect(rowsRead(of('conversation_views', nodes))).toBe(needed?.place)
    expect(await community.as(viewer, 'select unread_conversations() as unread')).toEqual([
      { unread: BADGE_MAX + 1 },
    ])
  })

  test('STORY-02 STORY-07 the story strip reads each story and its view once', async () => {
    const page = 100
    const nodes = await explainAs(
      community,
      viewer,
      `select s.id, s.user_id, s.media_type, s.expires_at, seen.by from stories s
       left join lateral (
         select json_agg(v.viewer_id) as by from story_views v where v.story_id = s.id and v.viewer_id = $1
       ) as seen on true
       where s.expires_at > 'now' order by s.expires_at desc, s.id desc limit ${page}`,
      [viewer],
    )
    expect(nodes[0]?.rows).toBe(page)
    expect(sorts(nodes)).toEqual([])
    expect(indexesUsed(nodes)).toContain('stories_expires_idx')
    expect(wholeTablesRead(nodes)).toEqual([])
    expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * page)
  })

  test('STORY-06 the viewers of a story are read in index order', async () => {
    const nodes = await explainAs(
      community,
      storyteller,
      `select v.viewer_id, (select p.username from profiles p where p.id = v.viewer_id) from story_views v
       where v.story_id = (select id from stories where user_id = $1 order by expires_at desc limit 1)
       order by v.created_at desc, v.viewer_id desc limit ${PEOPLE_PAGE}`,
      [storyteller],
    )
    expect(sorts(nodes)).toEqual([])
    expect(indexesUsed(nodes)).toContain('story_views_story_idx')
    expect(wholeTablesRead(nodes)).toEqual([])
  })

  test('MSG-13 MSG-15 requests, archived and deleted conversations cost the inbox nothing', async () => {
    const readForBadge = async () =>
      rowsRead(of('conversation_views', await explainFunction('unread_conversations')))
    const before = await readForBadge()
    await inBulk(community, async () => {
      await community.sql`with added as (
           insert into conversations (participant_1, participant_2, participant_2_wrote, last_message_at)
           select ${viewer}, gen_random_uuid(), true, timestamptz '2026-06-01' + n * interval '1 minute'
           from generate_series(1, 10000) as n returning id, last_message_at
         )
         insert into conversation_views (member_id, conversation_id, folder, accepted, unread, last_message_at, listed_at)
         select ${viewer}, id, folder, folder = 'archived', true, last_message_at, last_message_at
         from (select *, (array['requests', 'archived', 'none'])[row_number() over () % 3 + 1] as folder from added) as a`
    })
    await expectShortPage({ last_message_at: null, id: null })
    expect(await readForBadge()).toBe(before)
    const counted = await explainFunction('conversation_folders')
    expect(rowsRead(counted)).toBeLessThanOrEqual(2 * (FOLDER_COUNT_MAX + 1))
  })

  test('SET-03 an account that waits to be cleaned up costs a member with 10,000 conversations one look-up in a statement', async () => {
    const [{ removed } = {}] =
      await community.sql`select id as removed from profiles where username = 'crowd.7'`
    await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${removed})`
    const lost = 'select private.lost_conversation_ids() as id'
    expect(await community.as(viewer, lost)).toHaveLength(1)
    // All conversations of the viewer are two hundred blocks.
    expect(await blocksRead(community, viewer, lost)).toBeLessThan(20)
    await community.sql`delete from private.jobs where subject_id = ${removed}`
  })

  test('SAFE-03 a report about a hidden member with 10,000 conversations reads only the one with the reporter', async () => {
    const [{ other } = {}] =
      await community.sql`select blocker_id as other from blocks where blocked_id = ${viewer}`
    await inBulk(community, async () => {
      await community.sql`with added as (
          insert into conversations (participant_1, participant_2)
          select ${other}, gen_random_uuid() from generate_series(1, 10000) returning id, participant_2
        )
        insert into conversation_members (conversation_id, member_id, joined_at)
        select id, member, now() from added cross join lateral (values (${other}::uuid), (participant_2)) as two (member)`
    })
    const nodes = await explainAs(
      community,
      viewer,
      `insert into reports (reporter_id, member_id, reason) values ($1, $2, 'spam')`,
      [viewer, other],
    )
    expect(indexesUsed(of('conversations', nodes))).toEqual(['conversations_pair_key'])
    expect(rowsRead(of('conversations', nodes))).toBe(1)
    expect(rowsRead(nodes)).toBeLessThanOrEqual(5)
  })

  test('MSG-14 a report of delivered messages covers the latest two hundred conversations', async () => {
    await inBulk(community, async () => {
      await community.sql`with added as (
           insert into conversations (participant_1, participant_2, participant_2_wrote)
           select ${viewer}, gen_random_uuid(), true from generate_series(1, 201) returning id, last_message_at
         )
         insert into conversation_views
           (member_id, conversation_id, folder, accepted, unread, undelivered, last_message_at, listed_at)
         select ${viewer}, id, 'inbox', true, true, true, last_message_at, last_message_at from added`
    })
    const undelivered = async () => {
      const [row] = await community.sql`select count(*)::integer as n from conversation_views
        where member_id = ${viewer} and undelivered and folder = 'inbox'`
      return row?.n
    }
    const before = Number(await undelivered())
    expect(before).toBeGreaterThan(200)
    await community.as(viewer, 'select mark_delivered()')
    expect(await undelivered()).toBe(before - 200)
  })
})

describe('with 500 groups and five of them unread', () => {
  const GROUPS = 500
  const UNREAD = 5
  let blocksBefore: { list: number; badge: number }
  const blocks = async () => ({
    list: await blocksRead(community, viewer, 'select * from my_conversations()'),
    badge: await blocksRead(community, viewer, 'select unread_conversations()'),
  })

  beforeAll(async () => {
    await community.sql`update conversation_views set unread = false where member_id = ${viewer}`
    // The first calls make the plans.
    await blocks()
    blocksBefore = await blocks()
    await inBulk(community, async () => {
      await community.sql`insert into conversations (kind, name, last_message_at)
        select 'group', 'Group ' || n, timestamptz '2026-03-01' + n * interval '3 minutes' from generate_series(1, ${GROUPS}) as n`
      await community.sql`insert into conversation_members (conversation_id, member_id, joined_at)
        select c.id, member, '2026-01-01' from conversations c, (values (${viewer}::uuid), (${storyteller}::uuid)) as members (member)
        where c.kind = 'group'`
      await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
        select c.id, ${storyteller}, 'Hello', c.last_message_at - step * interval '1 second'
        from conversations c, generate_series(0, 9) as step where c.kind = 'group'`
      await community.sql`insert into conversation_views
        (member_id, conversation_id, is_group, folder, accepted, last_message_at, listed_at, mark_at, mark_id)
        select p.id, c.id, true, 'inbox', true, '2026-01-01', '2026-01-01', c.last_message_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        from conversations c, (select id from profiles order by id = ${viewer} desc limit 20) as p where c.kind = 'group'`
      await community.sql`update conversation_views set mark_at = null, mark_id = null
        where member_id = ${viewer} and conversation_id in (select id from conversations where kind = 'group' order by last_message_at limit ${UNREAD})`
    })
    // Of all rows: another sample of thirty thousand may lead to another plan.
    await community.pg.exec('set default_statistics_target = 1000; analyze; reset default_statistics_target')
  })

  test('MSG-01 a page looks each group up once, and of pairs what it read before', async () => {
    const nodes = await explainFunction('my_conversations', [
      { name: 'before_at', type: 'timestamptz', value: null },
      { name: 'before_id', type: 'uuid', value: null },
      { name: 'in_folder', type: 'text', value: 'inbox' },
      { name: 'only_groups', type: 'boolean', value: false },
    ])
    expect(nodes[0]?.rows).toBe(CONVERSATIONS_PAGE)
    expect(indexesUsed(nodes)).toEqual(
      expect.arrayContaining(['conversation_views_list_idx', 'conversation_views_groups_idx']),
    )
    expect(wholeTablesRead(nodes)).toEqual([])
    expect(rowsRead(of('conversations', nodes))).toBe(GROUPS + CONVERSATIONS_PAGE)
    // Each group's view for the list, and for the policy of its row.
    expect(rowsRead(of('conversation_views', nodes))).toBe(2 * GROUPS + CONVERSATIONS_PAGE)
  })

  test('MSG-07 the badge looks up only messages after a mark: a few pages for each group', async () => {
    expect(await community.as(viewer, 'select unread_conversations() as unread')).toEqual([
      { unread: UNREAD },
    ])
    await blocks()
    const after = await blocks()
    // An entry of two indexes and a row each, and the way to them.
    expect(after.list - blocksBefore.list).toBeLessThan(GROUPS * 10)
    expect(after.badge - blocksBefore.badge).toBeLessThan(GROUPS * 16)
  })

  test('MSG-14 a search reads some messages of each group, and of other conversations only newer ones', async () => {
    const search = `select * from search_messages('zzyzx')`
    expect(await community.as(viewer, search)).toEqual([expect.objectContaining({ is_last_read: true })])
    // An entry of an index, the way to it, and a few more messages than the two thousand, which are read once more.
    const most = GROUPS * 5 + 3 * MESSAGE_SEARCH.read
    expect(await blocksRead(community, viewer, search)).toBeLessThan(most)
    // The same where rows follow an index, so that reading all of it in order seems cheaper than many places.
    await community.pg.exec('set random_page_cost = 100')
    expect(await blocksRead(community, viewer, search)).toBeLessThan(most)
    await community.pg.exec('reset random_page_cost')
  })
})
