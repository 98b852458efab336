import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')
const conversation = await startConversation(ada, ada, ben)

async function startConversation(member: string, one: string, two: string): Promise<unknown> {
  const [row] = await community.as(
    member,
    'insert into conversations (participant_1, participant_2) values ($1, $2) returning id',
    [one, two],
  )
  return row?.id
}

async function send(sender: string, content = 'hello'): Promise<unknown> {
  const [row] = await community.as(
    sender,
    'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3) returning id',
    [conversation, sender, content],
  )
  return row?.id
}

describe('conversations', () => {
  test('MSG-02 exist once per pair of members, no matter who started it', async () => {
    await expect(startConversation(ada, ada, ben)).rejects.toEqual(refusal('23505'))
    await expect(startConversation(ben, ben, ada)).rejects.toEqual(refusal('23505'))
    await expect(startConversation(ben, ada, ben)).rejects.toEqual(refusal('23505'))
  })

  test('cannot be started with the same member twice or between two other members', async () => {
    await expect(startConversation(ada, ada, ada)).rejects.toEqual(refusal('23514'))
    await expect(startConversation(cleo, ada, ben)).rejects.toEqual(refusal('42501'))
  })

  test('MSG-04 get the time of the latest message, for both members', async () => {
    await community.sql(`update conversations set last_message_at = '2020-01-01' where id = $1`, [
      conversation,
    ])
    const message = await send(ben)
    const moved = `select c.last_message_at = m.created_at as moved
      from conversations c join messages m on m.conversation_id = c.id where m.id = $1`
    expect(await community.as(ada, moved, [message])).toEqual([{ moved: true }])
    await community.sql(
      `insert into messages (conversation_id, sender_id, content, created_at) values ($1, $2, 'late', '2019-01-01')`,
      [conversation, ada],
    )
    expect(await community.as(ben, moved, [message])).toEqual([{ moved: true }])
    // A participant's own update succeeds and changes nothing.
    await community.as(ada, `update conversations set last_message_at = 'infinity' where id = $1`, [
      conversation,
    ])
    expect(await community.as(ben, moved, [message])).toEqual([{ moved: true }])
  })
})

describe('messages', () => {
  test('get their recipient from the database: the other member of the conversation', async () => {
    const [toBen, toAda] = [await send(ada), await send(ben)]
    const recipients = 'select id, recipient_id from messages where id in ($1, $2)'
    expect(await community.as(ada, recipients, [toBen, toAda])).toEqual(
      expect.arrayContaining([
        { id: toBen, recipient_id: ben },
        { id: toAda, recipient_id: ada },
      ]),
    )
    await expect(
      community.as(
        ada,
        `insert into messages (conversation_id, sender_id, recipient_id, content) values ($1, $2, $3, 'x')`,
        [conversation, ada, cleo],
      ),
    ).rejects.toEqual(refusal('42501'))
  })

  test('are rejected in the conversation of others and under another name', async () => {
    await expect(send(cleo)).rejects.toEqual(refusal('PT403'))
    await expect(
      community.as(
        ben,
        `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'forged')`,
        [conversation, ada],
      ),
    ).rejects.toEqual(refusal('42501'))
    expect(await community.as(cleo, 'select id from messages')).toEqual([])
  })

  test('MSG-05 can be marked as read only by the recipient', async () => {
    const message = await send(ada)
    const read = (member: string) =>
      community.as(member, 'update messages set read = true where id = $1 returning read', [message])
    await expect(read(ada)).rejects.toEqual(refusal('PT403'))
    expect(await read(cleo)).toEqual([])
    expect(await read(ben)).toEqual([{ read: true }])
  })

  test('MSG-11 can be unsent only by the sender, which permanently deletes the content', async () => {
    const message = await send(ada, 'a secret')
    const unsend = (member: string) =>
      community.as(
        member,
        `update messages set deleted_at = '2001-01-01' where id = $1
         returning content, deleted_at > now() - interval '1 minute' as fresh`,
        [message],
      )
    await expect(unsend(ben)).rejects.toEqual(refusal('PT403'))
    expect(await unsend(ada)).toEqual([{ content: '', fresh: true }])
    await expect(unsend(ada)).rejects.toEqual(refusal('PT409'))
    await expect(
      community.as(ada, 'update messages set deleted_at = null where id = $1', [message]),
    ).rejects.toEqual(refusal('PT409'))
  })
})

describe('SET-05 activity', () => {
  const activity = (viewer: string) =>
    community.as(viewer, 'select user_id from activity where user_id = $1', [ada])

  test('is the time of the database, updated at most every 30 seconds', async () => {
    await community.as(ada, 'select touch_activity()')
    const [first] = await community.sql('select last_active_at from activity where user_id = $1', [ada])
    await community.as(ada, 'select touch_activity()')
    expect(await community.sql('select last_active_at from activity where user_id = $1', [ada])).toEqual([
      first,
    ])
    await community.sql(`update activity set last_active_at = now() - interval '1 hour' where user_id = $1`, [
      ada,
    ])
    await community.as(ada, 'select touch_activity()')
    expect(
      await community.sql(
        `select last_active_at > now() - interval '1 minute' as fresh from activity where user_id = $1`,
        [ada],
      ),
    ).toEqual([{ fresh: true }])
    await community.as(ada, `update activity set last_active_at = 'infinity' where user_id = $1`, [ada])
    expect(
      await community.sql(`select last_active_at < now() + interval '1 minute' as honest from activity`),
    ).toEqual([{ honest: true }])
  })

  const show = (member: string, isOn: boolean) =>
    community.as(member, 'update profiles set show_activity_status = $2 where id = $1', [member, isOn])

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
    expect(await community.sql('select from activity where user_id = $1', [cleo])).toEqual([])
    await show(cleo, true)
    await community.as(cleo, 'select touch_activity()')
    expect(await community.sql('select from activity where user_id = $1', [cleo])).toHaveLength(1)
  })
})
