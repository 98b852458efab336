import { describe, expect, test } from 'vitest'
import { CLAIMS, claimsOf, openCommunity } from './support/community'

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')
const [{ id: conversation } = {}] = await community.as(
  ada,
  'insert into conversations (participant_1, participant_2) values ($1, $2) returning id',
  [ada, ben],
)

async function send(sender: string): Promise<unknown> {
  const [row] = await community.as(sender)`insert into messages (conversation_id, sender_id, content)
    values (${conversation}, ${sender}, 'hello') returning id`
  return row?.id
}

describe('conversations', () => {
  test('MSG-04 get the time of the latest message, for both members', async () => {
    await community.sql`update conversations set last_message_at = '2020-01-01' where id = ${conversation}`
    const message = await send(ben)
    const moved = `select c.last_message_at = m.created_at as moved
      from conversations c join messages m on m.conversation_id = c.id where m.id = $1`
    expect(await community.as(ada, moved, [message])).toEqual([{ moved: true }])
    await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
      values (${conversation}, ${ada}, 'late', '2019-01-01')`
    expect(await community.as(ben, moved, [message])).toEqual([{ moved: true }])
  })
})

describe('MSG-04 times of messages grow within a conversation', () => {
  const times = () =>
    community.sql`select m.content, m.created_at > before.created_at as is_later
      from messages m left join lateral (
        select created_at from messages b where b.conversation_id = m.conversation_id and (b.created_at, b.id) < (m.created_at, m.id)
        order by b.created_at desc, b.id desc limit 1
      ) as before on true
      where m.conversation_id = ${conversation} and m.content ~ '^(one|two|three|four)' order by m.created_at`

  test('also of messages that begin in the same millisecond, and of several in one statement', async () => {
    const broadcasts: string[] = []
    const stop = await community.pg.listen('realtime_broadcasts', (text) => broadcasts.push(text))
    await community.pg.transaction(async (tx) => {
      await tx.query(CLAIMS, [claimsOf(ada), ada])
      const insert = (...contents: string[]) =>
        tx.query(
          `insert into messages (conversation_id, sender_id, content) select $1, $2, unnest($3::text[])`,
          [conversation, ada, contents],
        )
      await insert('one')
      await insert('two', 'three')
      await insert('four')
    })
    await stop()
    expect(await times()).toEqual(
      ['one', 'two', 'three', 'four'].map((content) => ({ content, is_later: true })),
    )
    const [last] = await community.sql`
      select m.created_at = c.last_message_at as moves_conversation,
        (select bool_and(v.last_message_at = c.last_message_at) from conversation_views v where v.conversation_id = c.id) as moves_views
      from messages m join conversations c on c.id = m.conversation_id where m.content = 'four'`
    expect(last).toEqual({ moves_conversation: true, moves_views: true })
    const announced = broadcasts
      .map((text) => JSON.parse(text).payload as { table: string; type: string; rows?: { id: string }[] })
      .filter(({ table }) => table === 'messages')
    // Three statements, for two members: the times move before anybody gets the message.
    expect(announced.map(({ type }) => type)).toEqual(Array(6).fill('INSERT'))
    // The broadcast of a new message has the time that it has got.
    const sent = announced.flatMap(({ rows = [] }) => rows)
    const [stored] = await community.sql`select id, to_jsonb(m) as row from messages m where content = 'four'`
    expect(sent.filter(({ id }) => id === stored?.id)).toEqual([stored?.row, stored?.row])
  })

  test('a message that is sent in the millisecond in which the conversation was deleted is seen', async () => {
    await community.pg.transaction(async (tx) => {
      await tx.query(CLAIMS, [claimsOf(ada), ada])
      const insert = `insert into messages (conversation_id, sender_id, content) values ('${conversation}', '${ada}', 'again')`
      await tx.query(insert)
      await tx.query(`update conversation_views set cleared_at = now() where member_id = '${ada}'`)
      await tx.query(insert)
    })
    expect(
      await community.as(ada)`select content from messages where conversation_id = ${conversation}`,
    ).toEqual([{ content: 'again' }])
  })

  test('and imported messages keep theirs', async () => {
    const [imported] =
      await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
      values (${conversation}, ${ben}, 'long ago', '2020-01-01') returning id`
    expect(
      await community.sql`select created_at = '2020-01-01' as kept from messages where id = ${imported?.id}`,
    ).toEqual([{ kept: true }])
  })
})

describe('SET-05 activity', () => {
  const activity = (viewer: string) =>
    community.as(viewer)`select user_id from activity where user_id = ${ada}`

  test('is the time of the database, updated at most every 30 seconds', async () => {
    await community.as(ada, 'select touch_activity()')
    const [first] = await community.sql`select last_active_at from activity where user_id = ${ada}`
    await community.as(ada, 'select touch_activity()')
    expect(await community.sql`select last_active_at from activity where user_id = ${ada}`).toEqual([first])
    await community.sql`update activity set last_active_at = now() - interval '1 hour' where user_id = ${ada}`
    await community.as(ada, 'select touch_activity()')
    expect(
      await community.sql`select last_active_at > now() - interval '1 minute' as fresh from activity
        where user_id = ${ada}`,
    ).toEqual([{ fresh: true }])
    await community.as(ada)`update activity set last_active_at = 'infinity' where user_id = ${ada}`
    expect(
      await community.sql(`select last_active_at < now() + interval '1 minute' as honest from activity`),
    ).toEqual([{ honest: true }])
  })

  const show = (member: string, isOn: boolean) =>
    community.as(member)`update profiles set show_activity_status = ${isOn} where id = ${member}`

  test('is visible to members with a mutual conversation, and to nobody once it is turned off', async () => {
    expect([(await activity(ben)).length, (await activity(cleo)).length]).toEqual([1, 0])
    await show(ada, false)
    expect([(await activity(ben)).length, (await activity(ada)).length]).toEqual([0, 1])
    await show(ada, true)
  })

  test('of others is hidden from a member while theirs is off', async () => {
    await show(ben, false)
    expect([(await activity(ben)).length, (await activity(ada)).length]).toEqual([0, 1])
    await show(ben, true)
    expect((await activity(ben)).length).toBe(1)
  })

  test('is not recorded while it is off', async () => {
    await show(cleo, false)
    await community.as(cleo, 'select touch_activity()')
    expect(await community.sql`select from activity where user_id = ${cleo}`).toEqual([])
    await show(cleo, true)
    await community.as(cleo, 'select touch_activity()')
    expect(await community.sql`select from activity where user_id = ${cleo}`).toHaveLength(1)
  })
})
