import { describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

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
