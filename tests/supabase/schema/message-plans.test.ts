import { beforeAll, describe, expect, test } from 'vitest'
import { BADGE_MAX, CONVERSATIONS_PAGE, MESSAGES_PAGE, PEOPLE_PAGE } from '#/shared/limits'
import { openOwnCommunity } from './support/community'
import { addConversations } from './support/conversations'
import { addCrowd } from './support/crowd'
import { explainAs, indexesUsed, type PlanNode, rowsRead, sorts, wholeTablesRead } from './support/plans'

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
  const body = callArguments.reduce(
    (sql, argument, index) => sql.replaceAll(argument.name, `$${index + 1}::${argument.type}`),
    String(definition?.body),
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

describe('at 100,000 messages in 1,000 conversations', () => {
  test('MSG-01 a page of conversations uses two indexes and reads thirty rows', async () => {
    const [middle] = await community.sql(
      `select last_message_at, id from conversations where $1 in (participant_1, participant_2)
       order by 1 desc, 2 desc offset 300 limit 1`,
      [viewer],
    )
    for (const { last_message_at, id } of [{ last_message_at: null, id: null }, middle ?? {}]) {
      const nodes = await explainFunction('my_conversations', [
        { name: 'before_at', type: 'timestamptz', value: last_message_at },
        { name: 'before_id', type: 'uuid', value: id },
      ])
      expect(nodes[0]?.rows).toBe(CONVERSATIONS_PAGE)
      expect(sorts(nodes)).toEqual([])
      expect(indexesUsed(nodes).toSorted()).toEqual([
        'conversations_participant_1_idx',
        'conversations_participant_2_idx',
      ])
      // The merge reads one more row from each index.
      expect(rowsRead(nodes)).toBeLessThanOrEqual(CONVERSATIONS_PAGE + 2)
    }
  })

  test('MSG-01 MSG-07 the conversation list reads one last and one unread message per conversation', async () => {
    const nodes = await explainAs(
      community,
      viewer,
      `select c.id, last.message, unread.message from my_conversations() as c
       left join lateral (
         select json_agg(m) as message from (
           select id, content from messages m where m.conversation_id = c.id
           order by created_at desc, id desc limit 1
         ) as m
       ) as last on true
       left join lateral (
         select json_agg(m) as message from (
           select id from messages m where m.conversation_id = c.id and m.recipient_id = $1
             and m.read is false and m.deleted_at is null limit 1
         ) as m
       ) as unread on true`,
      [viewer],
    )
    expect(indexesUsed(nodes).toSorted()).toEqual(['messages_conversation_idx', 'messages_recipient_idx'])
    expect(sorts(nodes)).toEqual([])
    expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * CONVERSATIONS_PAGE)
  })

  test('MSG-12 a page of 40,000 messages is read in index order, with the messages they reply to', async () => {
    const [middle] = await community.sql(
      'select created_at, id from messages where conversation_id = $1 order by 1, 2 offset 20000 limit 1',
      [conversation],
    )
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
      expect(rowsRead(nodes)).toBeLessThanOrEqual(MESSAGES_PAGE + 5)
    }
  })

  test('MSG-07 the badge reads one row per unread conversation, ten at most', async () => {
    const nodes = await explainFunction('unread_conversations')
    expect(new Set(indexesUsed(nodes))).toEqual(new Set(['messages_recipient_idx']))
    expect(rowsRead(nodes.filter(({ relation }) => relation === 'messages'))).toBe(BADGE_MAX + 1)
    expect(await community.as(viewer, 'select unread_conversations() as unread')).toEqual([
      { unread: BADGE_MAX + 1 },
    ])
  })

  test.each(['read is false', 'read = false', 'not read'])(
    'MSG-05 marking as read with `%s` reads only the unread messages',
    async (condition) => {
      const nodes = await explainAs(
        community,
        viewer,
        `select id from messages where conversation_id = $1 and recipient_id = $2 and ${condition}`,
        [conversation, viewer],
      )
      expect(indexesUsed(nodes)).toEqual(['messages_recipient_idx'])
      expect(rowsRead(nodes)).toBe(nodes[0]?.rows)
    },
  )

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
})
