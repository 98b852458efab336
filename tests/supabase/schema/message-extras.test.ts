import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openCommunity, refusal } from './support/community'

const PNG = 'data:image/png;base64,AAAA'
const SMALL = { thumbnail_url: PNG, image_width: 4, image_height: 3 }

type Row = Record<string, unknown>

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')

/** Inserts a row as a member and returns its id. */
async function insert(member: string, table: string, row: Row): Promise<string> {
  const columns = Object.keys({ id: '', ...row })
  const placeholders = columns.map((_, index) => `$${index + 1}`)
  const values: Row = { id: randomUUID(), ...row }
  const [inserted] = await community.as(
    member,
    `insert into ${table} (${columns.join(', ')}) values (${placeholders.join(', ')}) returning id`,
    columns.map((column) => values[column]),
  )
  return String(inserted?.id)
}

/** Starts a conversation that the other member has accepted. */
async function startConversation(one: string, two: string): Promise<string> {
  const id = await insert(one, 'conversations', { participant_1: one, participant_2: two })
  await community.as(two)`update conversation_views set folder = 'inbox' where conversation_id = ${id}`
  return id
}
/** Between Ada and Ben. */
const conversation = await startConversation(ada, ben)
/** Between Ada and Cleo. */
const another = await startConversation(ada, cleo)

const send = (sender: string, row: Row = {}) =>
  insert(sender, 'messages', { conversation_id: conversation, sender_id: sender, content: 'hello', ...row })

const uploadPhoto = (sender: string, row: Row = {}) =>
  insert(sender, 'message_media', {
    conversation_id: conversation,
    sender_id: sender,
    image_url: PNG,
    ...row,
  })

const addStory = (owner: string) =>
  insert(owner, 'stories', { user_id: owner, media_url: PNG, media_type: 'image' })

const change = (member: string, message: string, set: string) =>
  community.as(member, `update messages set ${set} where id = $1 returning *`, [message])

/** As the app does: a row, which a second reaction changes. */
async function react(member: string, message: string, emoji: string) {
  const changed = await community.as(member)`update message_reactions set emoji = ${emoji}
    where message_id = ${message} and member_id = ${member} returning emoji`
  if (changed.length > 0) return changed
  return community.as(member)`insert into message_reactions (message_id, member_id, emoji)
    values (${message}, ${member}, ${emoji}) returning emoji`
}
const takeBack = (member: string, message: string) =>
  community.as(member)`delete from message_reactions
    where message_id = ${message} and member_id = ${member} returning emoji`
const reactionsAs = (member: string, message: string) =>
  community.as(
    member,
  )`select member_id, emoji from message_reactions where message_id = ${message} order by created_at`

const messageAs = async (member: string, message: string) =>
  (await community.as(member)`select * from messages where id = ${message}`)[0]

describe('MSG-11 photos', () => {
  test('can be attached once, by their sender, in their conversation', async () => {
    const photo = await uploadPhoto(ada)
    const attach = (sender: string, row: Row = {}) => send(sender, { media_id: photo, ...SMALL, ...row })
    await expect(attach(ben)).rejects.toEqual(refusal('PT403'))
    await expect(attach(ada, { conversation_id: another })).rejects.toEqual(refusal('PT403'))
    await expect(attach(ada, { media_id: randomUUID() })).rejects.toEqual(refusal('PT403'))
    await attach(ada)
    await expect(attach(ada)).rejects.toEqual(refusal('23505'))
    await expect(uploadPhoto(cleo)).rejects.toEqual(refusal('42501'))
    await expect(uploadPhoto(ada, { sender_id: ben })).rejects.toEqual(refusal('42501'))
  })

  test('need a thumbnail and a size, and a message needs a photo or a text', async () => {
    const photo = await uploadPhoto(ada)
    await expect(send(ada, { media_id: photo })).rejects.toEqual(refusal('23514'))
    await expect(send(ada, { media_id: photo, ...SMALL, image_width: null })).rejects.toEqual(
      refusal('23514'),
    )
    await expect(send(ada, SMALL)).rejects.toEqual(refusal('23514'))
    await expect(send(ada, { content: '' })).rejects.toEqual(refusal('23514'))
  })

  test('that were never sent are deleted after a day, twenty with each new upload, and sent photos remain', async () => {
    await community.sql('delete from message_media where not sent')
    const attached = await uploadPhoto(ada)
    await send(ada, { media_id: attached, ...SMALL })
    for (let n = 0; n < 22; n += 1) await uploadPhoto(ben)
    await community.sql(`update message_media set created_at = now() - interval '1 day'`)
    const unsent = async () =>
      (await community.sql('select count(*)::integer as n from message_media where not sent'))[0]?.n
    const fresh = await uploadPhoto(ben)
    expect(await unsent()).toBe(3)
    const freshToo = await uploadPhoto(ben)
    expect(await unsent()).toBe(2)
    const remaining = await community.sql`select id from message_media
      where id = any (${[attached, fresh, freshToo]})`
    expect(remaining).toHaveLength(3)
  })
})

describe('MSG-11 unsending', () => {
  test('clears the content of the message and deletes its photo', async () => {
    const photo = await uploadPhoto(ada)
    const story = await addStory(ben)
    const message = await send(ada, {
      content: 'look',
      media_id: photo,
      ...SMALL,
      reply_to_id: await send(ben),
      story_id: story,
    })
    await change(ben, message, 'read = true')
    await react(ben, message, '🔥')
    await react(ada, message, '👍')
    await change(ada, message, `deleted_at = '2001-01-01'`)
    const { id, sender_id, recipient_id, conversation_id, created_at, read_at, ...rest } =
      (await messageAs(ben, message)) ?? {}
    expect([id, sender_id, recipient_id, conversation_id]).toEqual([message, ada, ben, conversation])
    expect([created_at, read_at]).toEqual([expect.any(String), expect.any(String)])
    expect(rest).toEqual({
      content: '',
      read: true,
      edited_at: null,
      forwarded: false,
      deleted_at: expect.any(String),
      reply_to_id: null,
      media_id: null,
      thumbnail_url: null,
      thumbhash: null,
      image_width: null,
      image_height: null,
      story_id: null,
      answers_story: false,
      shared_kind: null,
      shared_post_id: null,
      shared_story_id: null,
      shared_profile_id: null,
    })
    expect(await community.sql`select from message_reactions where message_id = ${message}`).toEqual([])
    expect(await community.sql`select id from message_media where id = ${photo}`).toEqual([])
  })

  test('by the function of the app is the same, is for the sender alone, and changes nothing the second time', async () => {
    const [photo, message] = [await uploadPhoto(ada), randomUUID()]
    const unsend = (member: string) => community.as(member)`select unsend_message(${message})`
    await expect(unsend(ada)).rejects.toEqual(refusal('PT404'))
    await send(ada, { id: message, media_id: photo, ...SMALL })
    await react(ben, message, '🔥')
    const before = await messageAs(ada, message)
    for (const other of [ben, cleo]) await expect(unsend(other)).rejects.toEqual(refusal('PT404'))
    expect(await messageAs(ada, message)).toEqual(before)
    await unsend(ada)
    const unsent = await messageAs(ada, message)
    expect(unsent).toMatchObject({ content: '', media_id: null, deleted_at: expect.any(String) })
    expect(await community.sql`select from message_reactions where message_id = ${message}`).toEqual([])
    await unsend(ada)
    expect(await messageAs(ben, message)).toEqual(unsent)
  })

  test('prevents later reactions, also by the owner of the database', async () => {
    const message = await send(ada)
    await change(ada, message, 'deleted_at = now()')
    for (const member of [ada, ben])
      await expect(react(member, message, '👍')).rejects.toThrow('This message was unsent.')
    await expect(
      community.sql`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '👍')`,
    ).rejects.toEqual(refusal('PT409'))
    expect(await takeBack(ben, message)).toEqual([])
  })

  test('keeps the replies, which then refer to an empty message', async () => {
    const first = await send(ada)
    const answer = await send(ben, { reply_to_id: first })
    await change(ada, first, 'deleted_at = now()')
    expect(await messageAs(ada, answer)).toMatchObject({ content: 'hello', reply_to_id: first })
    expect(await send(ben, { reply_to_id: first })).toEqual(expect.any(String))
  })
})

describe('MSG-11 replies', () => {
  test('can only refer to a message of the same conversation', async () => {
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
  test('are one of each member, who alone sets, changes and removes it', async () => {
    const message = await send(ada)
    await expect(
      community.as(
        ada,
      )`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '👍')`,
    ).rejects.toEqual(refusal('42501'))
    await expect(react(ben, message, 'hm')).rejects.toEqual(refusal('23514'))
    await react(ben, message, '👍')
    await react(ada, message, '😂')
    await expect(
      community.as(
        ben,
      )`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '❤️')`,
    ).rejects.toEqual(refusal('23505'))
    await react(ben, message, '❤️')
    for (const member of [ada, ben])
      expect(await reactionsAs(member, message)).toEqual([
        { member_id: ben, emoji: '❤️' },
        { member_id: ada, emoji: '😂' },
      ])
    // What is not one's own is not found.
    for (const sql of [`update message_reactions set emoji = '😢'`, 'delete from message_reactions'])
      expect(
        await community.as(ada, `${sql} where message_id = $1 and member_id = $2 returning 1`, [
          message,
          ben,
        ]),
      ).toEqual([])
    expect(await takeBack(ben, message)).toEqual([{ emoji: '❤️' }])
    expect(await reactionsAs(ben, message)).toEqual([{ member_id: ada, emoji: '😂' }])
  })

  test('belong to the conversation of their message, whatever a client sends, and stay with their message and member', async () => {
    const message = await send(ada)
    await react(ben, message, '🔥')
    expect(
      await community.sql`select conversation_id from message_reactions where message_id = ${message}`,
    ).toEqual([{ conversation_id: conversation }])
    for (const column of ['message_id', 'member_id', 'conversation_id', 'created_at'])
      await expect(
        community.as(ben, `update message_reactions set ${column} = ${column} where member_id = $1`, [ben]),
      ).rejects.toEqual(refusal('42501'))
    await expect(
      community.as(ben)`insert into message_reactions (message_id, member_id, emoji, conversation_id)
        values (${message}, ${ben}, '🔥', ${another})`,
    ).rejects.toEqual(refusal('42501'))
  })

  test('MSG-11 a member who may not read the message learns nothing of it, neither whether it exists nor whether it was unsent or has a reaction', async () => {
    const [plain, unsent, reacted] = [await send(ada), await send(ada), await send(ada)]
    await change(ada, unsent, 'deleted_at = now()')
    await community.sql`insert into message_reactions (message_id, member_id, emoji) values (${reacted}, ${cleo}, '👍')`
    for (const message of [plain, unsent, reacted, randomUUID()]) {
      await expect(react(cleo, message, '👍')).rejects.toEqual(refusal('42501'))
      expect(await reactionsAs(cleo, message)).toEqual([])
      expect(await takeBack(cleo, message)).toEqual([])
    }
    // Deleted with the conversation.
    await react(ben, plain, '👍')
    await community.as(
      ben,
    )`update conversation_views set cleared_at = now() where conversation_id = ${conversation}`
    expect(await reactionsAs(ben, plain)).toEqual([])
    await expect(
      community.as(
        ben,
      )`insert into message_reactions (message_id, member_id, emoji) values (${plain}, ${ben}, '👍')`,
    ).rejects.toEqual(refusal('42501'))
    expect(await reactionsAs(ada, plain)).toHaveLength(1)
    await community.as(
      ben,
    )`update conversation_views set cleared_at = null where conversation_id = ${conversation}`
  })

  test('are changed one at a time: quotas count statements', async () => {
    for (const emoji of ['👍', '😮']) await react(ben, await send(ada), emoji)
    await expect(
      community.as(ben)`update message_reactions set emoji = '😢' where member_id = ${ben}`,
    ).rejects.toEqual(refusal('PT422'))
    expect(await community.sql`select 1 from message_reactions where emoji = '😢'`).toEqual([])
  })
})

test('SAFE-01 a closed conversation refuses edits and reactions, and still allows removing one', async () => {
  const dan = await community.join('dan')
  const message = await send(ada, { conversation_id: await startConversation(ada, dan) })
  await react(dan, message, '👍')
  await community.as(dan)`select block_members(array[${ada}]::uuid[])`
  await expect(change(ada, message, `content = 'Read this'`)).rejects.toEqual(refusal('PT403'))
  for (const member of [ada, dan])
    await expect(react(member, message, '😢')).rejects.toThrow('This conversation is closed.')
  expect(await reactionsAs(ada, message)).toEqual([{ member_id: dan, emoji: '👍' }])
  expect(await takeBack(dan, message)).toEqual([{ emoji: '👍' }])
  await expect(react(dan, message, '👍')).rejects.toThrow('This conversation is closed.')
})

describe('STORY-05 replies to a story', () => {
  test('differ from other messages, even after the story has been deleted', async () => {
    const story = await addStory(ben)
    const reply = await send(ada, { story_id: story, content: '🔥' })
    expect(await messageAs(ben, reply)).toMatchObject({ story_id: story, answers_story: true })
    expect(await messageAs(ben, await send(ada))).toMatchObject({ story_id: null, answers_story: false })
    await community.as(ben)`select delete_stories(array[${story}]::uuid[])`
    expect(await messageAs(ada, reply)).toMatchObject({
      story_id: null,
      answers_story: true,
      content: '🔥',
    })
  })

  test('are possible only to the owner, if the owner allows replies and the sender can see the story', async () => {
    const [mine, theirs, third] = [await addStory(ada), await addStory(ben), await addStory(cleo)]
    for (const story_id of [mine, third, randomUUID()]) {
      await expect(send(ada, { story_id })).rejects.toEqual(refusal('PT403'))
    }
    await community.as(ben)`update profiles set allow_story_replies = false where id = ${ben}`
    await expect(send(ada, { story_id: theirs })).rejects.toEqual(refusal('PT403'))
    await community.as(ben)`update profiles set allow_story_replies = true, is_private = true
      where id = ${ben}`
    await expect(send(ada, { story_id: theirs })).rejects.toEqual(refusal('PT403'))
    await community.as(ben)`update profiles set is_private = false where id = ${ben}`
    expect(await send(ada, { story_id: theirs })).toEqual(expect.any(String))
  })

  test('are rejected as soon as the story has expired by the database clock', async () => {
    const story = await addStory(ben)
    const expireIn = (time: string) =>
      community.sql(`update stories set expires_at = now() + interval '${time}' where id = $1`, [story])
    await expireIn('1 minute')
    const row = { id: randomUUID(), story_id: story }
    await send(ada, row)
    await expireIn('0 seconds')
    await expect(send(ada, { story_id: story })).rejects.toEqual(refusal('PT403'))
    // A retry of a reply that was sent in time is a duplicate.
    await expect(send(ada, row)).rejects.toEqual(refusal('23505'))
  })
})

describe('FEED-17 shared items', () => {
  const addPost = async (owner: string) => insert(owner, 'posts', { user_id: owner, content: 'First light' })

  test('are a reference, whose kind stays when the item is deleted', async () => {
    const [post, story, profile] = [await addPost(ben), await addStory(ben), await community.join('kim')]
    const shared = await send(ada, { content: '', shared_post_id: post })
    expect(await messageAs(ben, shared)).toMatchObject({ shared_kind: 'post', shared_post_id: post })
    const withStory = await send(ada, { content: 'Look', shared_story_id: story })
    const withProfile = await send(ada, { content: '', shared_profile_id: profile })
    await community.as(ben)`select delete_posts(array[${post}]::uuid[])`
    await community.as(ben)`select delete_stories(array[${story}]::uuid[])`
    await community.sql`delete from profiles where id = ${profile}`
    for (const [id, shared_kind] of [
      [shared, 'post'],
      [withStory, 'story'],
      [withProfile, 'profile'],
    ] as const)
      expect(await messageAs(ben, id)).toMatchObject({
        shared_kind,
        shared_post_id: null,
        shared_story_id: null,
        shared_profile_id: null,
      })
  })

  test('are one per message, which the sender sees now, and unsending removes the reference', async () => {
    const [post, story] = [await addPost(ben), await addStory(ben)]
    await expect(send(ada, { shared_post_id: post, shared_story_id: story })).rejects.toEqual(
      refusal('23514'),
    )
    await expect(send(ada, { shared_post_id: randomUUID() })).rejects.toEqual(refusal('PT403'))
    await expect(send(ada, { shared_kind: 'post' })).rejects.toEqual(refusal('42501'))
    const row = { id: randomUUID(), shared_story_id: story, content: '' }
    await send(ada, row)
    await community.sql`update stories set expires_at = now() where id = ${story}`
    await expect(send(ada, { shared_story_id: story })).rejects.toEqual(refusal('PT403'))
    // A retry of a share that was sent in time is a duplicate.
    await expect(send(ada, row)).rejects.toEqual(refusal('23505'))
    await change(ada, row.id, 'deleted_at = now()')
    expect(await messageAs(ben, row.id)).toMatchObject({ shared_kind: null, shared_story_id: null })
  })
})

describe('MSG-14 editing', () => {
  test('replaces the text for fifteen minutes by the database clock, and is marked with its time', async () => {
    const message = await send(ada)
    const [edited] = await change(ada, message, `content = 'Hello again'`)
    expect(edited).toMatchObject({ content: 'Hello again', edited_at: expect.any(String) })
    expect(await messageAs(ben, message)).toMatchObject({ content: 'Hello again' })
    await expect(change(ada, message, `edited_at = null`)).rejects.toEqual(refusal('42501'))
    const age = (time: string) =>
      community.sql(`update messages set created_at = now() - interval '${time}' where id = $1`, [message])
    await age('14 minutes 50 seconds')
    await change(ada, message, `content = 'In time'`)
    await age('15 minutes 1 second')
    await expect(change(ada, message, `content = 'Too late'`)).rejects.toEqual(refusal('PT403'))
    // The same text again changes nothing.
    await change(ada, message, `content = 'In time'`)
  })

  test('by the function of the app is the same, is for the sender alone, and changes nothing the second time', async () => {
    const message = await send(ada)
    const edit = (member: string, text: string) =>
      community.as(member)`select edit_message(${message}, ${text})`
    for (const other of [ben, cleo]) await expect(edit(other, 'Forged')).rejects.toEqual(refusal('PT404'))
    await edit(ada, 'Hello again')
    const edited = await messageAs(ben, message)
    expect(edited).toMatchObject({ content: 'Hello again', edited_at: expect.any(String) })
    await edit(ada, 'Hello again')
    expect(await messageAs(ben, message)).toEqual(edited)
    await expect(edit(ada, ' \n ')).rejects.toEqual(refusal('PT422'))
    await expect(edit(ada, 'x'.repeat(4001))).rejects.toEqual(refusal('23514'))
    await community.sql`update messages set created_at = now() - interval '16 minutes' where id = ${message}`
    await expect(edit(ada, 'Too late')).rejects.toEqual(refusal('PT403'))
    await community.as(ada)`select unsend_message(${message})`
    await expect(edit(ada, 'Back')).rejects.toEqual(refusal('PT409'))
  })

  test('is for the sender alone, and keeps a text', async () => {
    const message = await send(ada)
    await expect(change(ben, message, `content = 'Forged'`)).rejects.toEqual(refusal('PT403'))
    expect(await change(cleo, message, `content = 'Forged'`)).toEqual([])
    await expect(change(ada, message, `content = ' \n '`)).rejects.toEqual(refusal('PT422'))
    await expect(change(ada, message, `content = repeat('x', 4001)`)).rejects.toEqual(refusal('23514'))
    const photo = await uploadPhoto(ada)
    const picture = await send(ada, { content: '', media_id: photo, ...SMALL })
    await expect(change(ada, picture, `content = 'A caption'`)).rejects.toEqual(refusal('PT403'))
    await change(ada, message, 'deleted_at = now()')
    await expect(change(ada, message, `content = 'Back'`)).rejects.toEqual(refusal('PT409'))
  })
})

describe('MSG-10 seen', () => {
  test('is the time at which the recipient read the message, by the database clock', async () => {
    const message = await send(ada)
    expect(await messageAs(ada, message)).toMatchObject({ read: false, read_at: null })
    await expect(change(ben, message, `read = true, read_at = '2001-01-01'`)).rejects.toEqual(
      refusal('42501'),
    )
    await change(ben, message, 'read = true')
    const seen = `select read_at > now() - interval '1 minute' and read_at <= now() as just_now
      from messages where id = $1`
    expect(await community.as(ada, seen, [message])).toEqual([{ just_now: true }])
    const [before] = await community.sql`select read_at from messages where id = ${message}`
    await change(ben, message, 'read = true')
    expect(await community.sql`select read_at from messages where id = ${message}`).toEqual([before])
    await change(ben, message, 'read = false')
    expect(await messageAs(ada, message)).toMatchObject({ read: false, read_at: null })
  })
})

describe('MSG-07 unread conversations', () => {
  test('count conversations, not messages, and exclude unsent messages', async () => {
    const eve = await community.join('eve')
    const unread = async () =>
      (await community.as(eve, 'select unread_conversations() as n')).map(({ n }) => n)[0]
    expect(await unread()).toBe(0)
    const sent: string[] = []
    for (const other of [ada, ben]) {
      const conversation_id = await startConversation(other, eve)
      for (let n = 0; n < 3; n += 1) sent.push(await send(other, { conversation_id }))
      await send(eve, { conversation_id })
    }
    expect(await unread()).toBe(2)
    for (const message of sent.slice(0, 3)) await change(ada, message, 'deleted_at = now()')
    expect(await unread()).toBe(1)
    for (const sender of [ada, ben])
      await community.as(
        eve,
      )`update messages set read = true where recipient_id = ${eve} and sender_id = ${sender}`
    expect(await unread()).toBe(0)
  })

  test('SAFE-01 exclude blocked members until they are unblocked, but not for the blocked member', async () => {
    const [gil, hal, ina] = [
      await community.join('gil'),
      await community.join('hal'),
      await community.join('ina'),
    ]
    const unread = async (member: string) =>
      (await community.as(member, 'select unread_conversations() as n')).map(({ n }) => n)[0]
    for (const other of [gil, ina])
      await send(other, { conversation_id: await startConversation(other, hal) })
    await send(hal, { conversation_id: await startConversation(hal, ada) })
    expect(await unread(hal)).toBe(2)
    await community.as(hal)`select block_members(array[${gil}]::uuid[])`
    expect(await unread(hal)).toBe(1)
    await community.as(hal)`delete from blocks where blocker_id = ${hal}`
    expect(await unread(hal)).toBe(2)
    await community.as(gil)`select block_members(array[${hal}]::uuid[])`
    expect(await unread(hal)).toBe(2)
  })

  test('stop counting at ten, and the list returns each conversation once in pages of thirty', async () => {
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
    // With equal times, the id decides the order.
    await community.sql(`update conversations set last_message_at = '2026-01-01'
      where '${fay}' in (participant_1, participant_2)`)
    await community.sql(
      `update conversation_views set last_message_at = '2026-01-01', listed_at = '2026-01-01' where member_id = '${fay}'`,
    )
    expect(await community.as(fay, 'select unread_conversations() as n')).toEqual([{ n: 10 }])
    const first = await community.as(fay, 'select id, last_message_at from my_conversations()')
    const last = first.at(-1)
    const second = await community.as(fay)`select id
      from my_conversations(${last?.last_message_at}, ${last?.id})`
    expect([first.length, second.length]).toEqual([30, 1])
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(31)
  })
})

describe('SET-05 touch_activity', () => {
  test('takes no lock if it is repeated within 30 seconds', async () => {
    const touch = () => community.as(cleo, 'select touch_activity()')
    const stored = () => community.sql`select xmin::text, xmax::text from activity where user_id = ${cleo}`
    await touch()
    const before = await stored()
    expect(before).toEqual([{ xmin: expect.any(String), xmax: '0' }])
    await touch()
    expect(await stored()).toEqual(before)
  })
})
