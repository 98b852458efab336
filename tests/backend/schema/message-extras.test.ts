import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const PNG = 'data:image/png;base64,AAAA'
const SMALL = { thumbnail_url: PNG, image_width: 4, image_height: 3 }

type Row = Record<string, unknown>

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')

/** Inserts a row as a member and gives its id. */
async function insert(member: string, table: string, row: Row): Promise<string> {
  const columns = Object.keys({ id: '', ...row })
  const places = columns.map((_, index) => `$${index + 1}`)
  const values: Row = { id: randomUUID(), ...row }
  const [made] = await community.as(
    member,
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning id`,
    columns.map((column) => values[column]),
  )
  return String(made?.id)
}

const begin = (one: string, two: string) =>
  insert(one, 'conversations', { participant_1: one, participant_2: two })
/** Of Ada and Ben; of Ada and Cleo. */
const conversation = await begin(ada, ben)
const another = await begin(ada, cleo)

const send = (sender: string, row: Row = {}) =>
  insert(sender, 'messages', { conversation_id: conversation, sender_id: sender, content: 'hello', ...row })

const offerPhoto = (sender: string, row: Row = {}) =>
  insert(sender, 'message_photos', {
    conversation_id: conversation,
    sender_id: sender,
    image_url: PNG,
    ...row,
  })

const addStory = (owner: string) =>
  insert(owner, 'stories', { user_id: owner, media_url: PNG, media_type: 'image' })

const change = (member: string, message: string, set: string) =>
  community.as(member, `update messages set ${set} where id = $1 returning *`, [message])

const messageAs = async (member: string, message: string) =>
  (await community.as(member, 'select * from messages where id = $1', [message]))[0]

const photosSeenBy = async (member: string, photo: string) =>
  (await community.as(member, 'select image_url from message_photos where id = $1', [photo])).length

describe('MSG-11 photos', () => {
  test('are the other member’s to see once their message is there, and nobody else’s', async () => {
    const photo = await offerPhoto(ada)
    expect([await photosSeenBy(ada, photo), await photosSeenBy(ben, photo)]).toEqual([1, 0])
    await send(ada, { content: '', photo_id: photo, ...SMALL })
    expect([await photosSeenBy(ada, photo), await photosSeenBy(ben, photo)]).toEqual([1, 1])
    expect(await photosSeenBy(cleo, photo)).toBe(0)
  })

  test('come from their sender, into their conversation, and once', async () => {
    const photo = await offerPhoto(ada)
    const carry = (sender: string, row: Row = {}) => send(sender, { photo_id: photo, ...SMALL, ...row })
    await expect(carry(ben)).rejects.toEqual(refusal('PT403'))
    await expect(carry(ada, { conversation_id: another })).rejects.toEqual(refusal('PT403'))
    await expect(carry(ada, { photo_id: randomUUID() })).rejects.toEqual(refusal('PT403'))
    await carry(ada)
    await expect(carry(ada)).rejects.toEqual(refusal('23505'))
    await expect(offerPhoto(cleo)).rejects.toEqual(refusal('42501'))
    await expect(offerPhoto(ada, { sender_id: ben })).rejects.toEqual(refusal('42501'))
  })

  test('come whole: without thumbnail or size there is no message, nor with nothing at all', async () => {
    const photo = await offerPhoto(ada)
    await expect(send(ada, { photo_id: photo })).rejects.toEqual(refusal('23514'))
    await expect(send(ada, { photo_id: photo, ...SMALL, image_width: null })).rejects.toEqual(
      refusal('23514'),
    )
    await expect(send(ada, SMALL)).rejects.toEqual(refusal('23514'))
    await expect(send(ada, { content: '' })).rejects.toEqual(refusal('23514'))
  })

  test('without a message go after a day, twenty with each new one; others stay', async () => {
    await community.sql('delete from message_photos where not sent')
    const carried = await offerPhoto(ada)
    await send(ada, { photo_id: carried, ...SMALL })
    for (let n = 0; n < 22; n += 1) await offerPhoto(ben)
    await community.sql(`update message_photos set created_at = now() - interval '1 day'`)
    const unsent = async () =>
      (await community.sql('select count(*)::integer as n from message_photos where not sent'))[0]?.n
    const fresh = await offerPhoto(ben)
    expect(await unsent()).toBe(3)
    const freshToo = await offerPhoto(ben)
    expect(await unsent()).toBe(2)
    const left = await community.sql('select id from message_photos where id = any ($1)', [
      [carried, fresh, freshToo],
    ])
    expect(left).toHaveLength(3)
  })
})

describe('MSG-11 taking back', () => {
  test('empties all that the message held and removes its photo', async () => {
    const photo = await offerPhoto(ada)
    const story = await addStory(ben)
    const message = await send(ada, {
      content: 'look',
      photo_id: photo,
      ...SMALL,
      reply_to_id: await send(ben),
      story_id: story,
    })
    await change(ben, message, `recipient_reaction = '🔥', read = true`)
    await change(ada, message, `sender_reaction = '👍'`)
    await change(ada, message, `deleted_at = '2001-01-01'`)
    const { id, sender_id, recipient_id, conversation_id, created_at, read_at, ...rest } =
      (await messageAs(ben, message)) ?? {}
    expect([id, sender_id, recipient_id, conversation_id]).toEqual([message, ada, ben, conversation])
    expect([created_at, read_at]).toEqual([expect.any(String), expect.any(String)])
    expect(rest).toEqual({
      content: '',
      read: true,
      deleted_at: expect.any(String),
      reply_to_id: null,
      photo_id: null,
      thumbnail_url: null,
      image_width: null,
      image_height: null,
      story_id: null,
      answers_story: false,
      sender_reaction: null,
      recipient_reaction: null,
    })
    expect(await community.sql('select id from message_photos where id = $1', [photo])).toEqual([])
  })

  test('cannot be combined with a last reaction, and ends reacting', async () => {
    const message = await send(ada)
    const both = await change(ada, message, `deleted_at = now(), sender_reaction = '👍'`)
    expect(both).toEqual([expect.objectContaining({ sender_reaction: null, content: '' })])
    await expect(change(ben, message, `recipient_reaction = '👍'`)).rejects.toEqual(refusal('PT409'))
  })

  test('leaves the answers to it, which then answer a message that is empty', async () => {
    const first = await send(ada)
    const answer = await send(ben, { reply_to_id: first })
    await change(ada, first, 'deleted_at = now()')
    expect(await messageAs(ada, answer)).toMatchObject({ content: 'hello', reply_to_id: first })
    expect(await send(ben, { reply_to_id: first })).toEqual(expect.any(String))
  })
})

describe('MSG-11 answers', () => {
  test('are to a message of the same conversation', async () => {
    const elsewhere = await send(ada, { conversation_id: another })
    const own = randomUUID()
    for (const reply_to_id of [elsewhere, randomUUID(), own]) {
      await expect(send(ada, { id: own, reply_to_id })).rejects.toEqual(refusal('PT403'))
    }
    const first = await send(ada)
    expect(await messageAs(ada, await send(ben, { reply_to_id: first }))).toMatchObject({
      reply_to_id: first,
    })
  })
})

describe('MSG-11 reactions', () => {
  test('are each member’s own, and can be taken away', async () => {
    const message = await send(ada)
    await expect(change(ben, message, `sender_reaction = '👍'`)).rejects.toEqual(refusal('PT403'))
    await expect(change(ada, message, `recipient_reaction = '👍'`)).rejects.toEqual(refusal('PT403'))
    await expect(change(ben, message, `recipient_reaction = 'hm'`)).rejects.toEqual(refusal('23514'))
    expect(await change(cleo, message, `recipient_reaction = '👍'`)).toEqual([])
    await change(ben, message, `recipient_reaction = '❤️'`)
    await change(ada, message, `sender_reaction = '😂'`)
    expect(await messageAs(ada, message)).toMatchObject({ sender_reaction: '😂', recipient_reaction: '❤️' })
    await change(ben, message, 'recipient_reaction = null')
    expect(await messageAs(ada, message)).toMatchObject({ sender_reaction: '😂', recipient_reaction: null })
  })
})

describe('SAFE-01 a closed conversation', () => {
  test('takes neither photos nor reactions, and one may still take back', async () => {
    const dan = await community.join('dan')
    const closed = await begin(ada, dan)
    const row = { conversation_id: closed, sender_id: ada }
    const message = await send(ada, row)
    await change(dan, message, `recipient_reaction = '👍'`)
    await community.as(dan, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [dan, ada])
    await expect(offerPhoto(ada, row)).rejects.toEqual(refusal('42501'))
    await expect(change(ada, message, `sender_reaction = '👍'`)).rejects.toEqual(refusal('PT403'))
    await expect(change(dan, message, `recipient_reaction = '🔥'`)).rejects.toEqual(refusal('PT403'))
    await change(dan, message, 'recipient_reaction = null')
    expect(await change(ada, message, 'deleted_at = now()')).toHaveLength(1)
  })
})

describe('STORY-05 replies to a story', () => {
  test('are told from other messages, also once the story is gone', async () => {
    const story = await addStory(ben)
    const reply = await send(ada, { story_id: story, content: '🔥' })
    expect(await messageAs(ben, reply)).toMatchObject({ story_id: story, answers_story: true })
    expect(await messageAs(ben, await send(ada))).toMatchObject({ story_id: null, answers_story: false })
    await community.as(ben, 'delete from stories where id = $1', [story])
    expect(await messageAs(ada, reply)).toMatchObject({
      story_id: null,
      answers_story: true,
      content: '🔥',
    })
  })

  test('go to its owner, who takes replies, while the sender may see it', async () => {
    const [mine, theirs, third] = [await addStory(ada), await addStory(ben), await addStory(cleo)]
    for (const story_id of [mine, third, randomUUID()]) {
      await expect(send(ada, { story_id })).rejects.toEqual(refusal('PT403'))
    }
    await community.as(ben, 'update profiles set allow_story_replies = false where id = $1', [ben])
    await expect(send(ada, { story_id: theirs })).rejects.toEqual(refusal('PT403'))
    await community.as(
      ben,
      'update profiles set allow_story_replies = true, is_private = true where id = $1',
      [ben],
    )
    await expect(send(ada, { story_id: theirs })).rejects.toEqual(refusal('PT403'))
    await community.as(ben, 'update profiles set is_private = false where id = $1', [ben])
    expect(await send(ada, { story_id: theirs })).toEqual(expect.any(String))
  })

  test('end the moment the story expires, by the database’s clock', async () => {
    const story = await addStory(ben)
    const expireIn = (time: string) =>
      community.sql(`update stories set expires_at = now() + interval '${time}' where id = $1`, [story])
    await expireIn('1 minute')
    const row = { id: randomUUID(), story_id: story }
    await send(ada, row)
    await expireIn('0 seconds')
    await expect(send(ada, { story_id: story })).rejects.toEqual(refusal('PT403'))
    // One that was sent in time and is sent once more is there already.
    await expect(send(ada, row)).rejects.toEqual(refusal('23505'))
  })
})

describe('MSG-10 seen', () => {
  test('is when the recipient read it, by the database’s clock', async () => {
    const message = await send(ada)
    expect(await messageAs(ada, message)).toMatchObject({ read: false, read_at: null })
    await expect(change(ben, message, `read = true, read_at = '2001-01-01'`)).rejects.toEqual(
      refusal('42501'),
    )
    await change(ben, message, 'read = true')
    const seen = `select read_at > now() - interval '1 minute' and read_at <= now() as just_now
      from messages where id = $1`
    expect(await community.as(ada, seen, [message])).toEqual([{ just_now: true }])
    const [before] = await community.sql('select read_at from messages where id = $1', [message])
    await change(ben, message, 'read = true')
    expect(await community.sql('select read_at from messages where id = $1', [message])).toEqual([before])
    await change(ben, message, 'read = false')
    expect(await messageAs(ada, message)).toMatchObject({ read: false, read_at: null })
  })
})

describe('MSG-07 unread conversations', () => {
  test('count conversations, not messages, and none of what was taken back', async () => {
    const eve = await community.join('eve')
    const unread = async () =>
      (await community.as(eve, 'select unread_conversations() as n')).map(({ n }) => n)[0]
    expect(await unread()).toBe(0)
    const sent: string[] = []
    for (const other of [ada, ben]) {
      const conversation_id = await begin(other, eve)
      for (let n = 0; n < 3; n += 1) sent.push(await send(other, { conversation_id }))
      await send(eve, { conversation_id })
    }
    expect(await unread()).toBe(2)
    for (const message of sent.slice(0, 3)) await change(ada, message, 'deleted_at = now()')
    expect(await unread()).toBe(1)
    await community.as(eve, 'update messages set read = true where recipient_id = $1', [eve])
    expect(await unread()).toBe(0)
  })

  test('SAFE-01 leave out whom one has blocked, until they are unblocked; the blocked count on', async () => {
    const [gil, hal, ina] = [
      await community.join('gil'),
      await community.join('hal'),
      await community.join('ina'),
    ]
    const unread = async (member: string) =>
      (await community.as(member, 'select unread_conversations() as n')).map(({ n }) => n)[0]
    for (const other of [gil, ina]) await send(other, { conversation_id: await begin(other, hal) })
    await send(hal, { conversation_id: await begin(hal, ada) })
    expect(await unread(hal)).toBe(2)
    await community.as(hal, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [hal, gil])
    expect(await unread(hal)).toBe(1)
    await community.as(hal, 'delete from blocks where blocker_id = $1', [hal])
    expect(await unread(hal)).toBe(2)
    await community.as(gil, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [gil, hal])
    expect(await unread(hal)).toBe(2)
  })

  test('end at ten, and the list gives thirty at a time, each once', async () => {
    const fay = await community.join('fay')
    for (let n = 0; n < 31; n += 1) {
      const other = await community.join(`other.${n}`)
      const pair = n % 2 === 0 ? [other, fay] : [fay, other]
      const conversation_id = await insert(fay, 'conversations', {
        participant_1: pair[0],
        participant_2: pair[1],
      })
      await send(other, { conversation_id })
    }
    // All at the same moment: the id decides.
    await community.sql(`update conversations set last_message_at = '2026-01-01'
      where '${fay}' in (participant_1, participant_2)`)
    expect(await community.as(fay, 'select unread_conversations() as n')).toEqual([{ n: 10 }])
    const first = await community.as(fay, 'select id, last_message_at from my_conversations()')
    const last = first.at(-1)
    const second = await community.as(fay, 'select id from my_conversations($1, $2)', [
      last?.last_message_at,
      last?.id,
    ])
    expect([first.length, second.length]).toEqual([30, 1])
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(31)
  })
})

describe('SET-05 touch_activity', () => {
  test('takes not even a lock within 30 seconds', async () => {
    const touch = () => community.as(cleo, 'select touch_activity()')
    const stored = () =>
      community.sql('select xmin::text, xmax::text from activity where user_id = $1', [cleo])
    await touch()
    const before = await stored()
    expect(before).toEqual([{ xmin: expect.any(String), xmax: '0' }])
    await touch()
    expect(await stored()).toEqual(before)
  })
})
