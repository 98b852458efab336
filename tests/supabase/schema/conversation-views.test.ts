import { beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from './support/actions'
import { openCommunity, refusal } from './support/community'

const { community, ada, ben, cleo, dan, eva } = await openCommunity('ada', 'ben', 'cleo', 'dan', 'eva')

async function startConversation(starter: string, other: string): Promise<unknown> {
  const [row] = await community.as(starter)`insert into conversations (participant_1, participant_2)
    values (${starter}, ${other}) returning id`
  return row?.id
}

async function send(sender: string, conversation: unknown, content = 'hello'): Promise<unknown> {
  const [row] = await community.as(sender)`insert into messages (conversation_id, sender_id, content)
    values (${conversation}, ${sender}, ${content}) returning id`
  return row?.id
}

async function folderOf(member: string, conversation: unknown): Promise<unknown> {
  const [row] = await community.as(member)`select folder from conversation_views
    where conversation_id = ${conversation}`
  return row?.folder
}

function change(member: string, conversation: unknown, set: string) {
  return community.as(member, `update conversation_views set ${set} where conversation_id = $1`, [
    conversation,
  ])
}

async function contents(member: string, conversation: unknown): Promise<unknown[]> {
  const rows = await community.as(member)`select content from messages where conversation_id = ${conversation}
    order by created_at, id`
  return rows.map(({ content }) => content)
}

async function listed(member: string, folder: string): Promise<unknown[]> {
  const rows = await community.as(member)`select id from my_conversations(in_folder => ${folder})`
  return rows.map(({ id }) => id)
}

async function unread(member: string): Promise<unknown> {
  const [row] = await community.as(member, 'select unread_conversations() as unread')
  return row?.unread
}

const markRead = (member: string, conversation: unknown) =>
  community.as(member)`update messages set read = true where conversation_id = ${conversation}
    and sender_id <> ${member} returning read, read_at`

describe('MSG-01 the list', () => {
  const MORE = 34
  let ids: unknown[]

  beforeAll(async () => {
    ids = []
    for (let n = 0; n < MORE; n += 1) {
      const id = await startConversation(eva, await community.join(`far.${n}`))
      await send(eva, id)
      ids.push(id)
    }
    await community.sql`update conversation_views set accepted = true, folder = 'inbox'
      where conversation_id = any (${ids}::uuid[])`
  })

  /** The conversations of all pages, each page begun after the last one of the page before, as the client does. */
  async function allPages(): Promise<unknown[]> {
    const pages: unknown[] = []
    let last: Record<string, unknown> | undefined
    for (;;) {
      const page = await community.as(eva)`select id, last_message_at
        from my_conversations(${last?.last_message_at ?? null}, ${last?.id ?? null})`
      pages.push(...page.map(({ id }) => id))
      if (page.length < 30) return pages
      last = page.at(-1)
    }
  }

  const byLastMessage = async () =>
    (
      await community.sql`
        select conversation_id from conversation_views where member_id = ${eva} and folder = 'inbox'
         order by last_message_at desc, conversation_id desc`
    ).map(({ conversation_id }) => conversation_id)

  const listedAt = async (id: unknown) =>
    (
      await community.sql`select listed_at from conversation_views where member_id = ${eva}
        and conversation_id = ${id}`
    )[0]?.listed_at

  test('is in the order of the last messages, also after archiving, deleting and new messages', async () => {
    const random = seededRandom(3)
    for (let step = 0; step < 120; step += 1) {
      const id = ids[random(random(4) === 0 ? MORE : 3)]
      if (random(8) === 0)
        await change(eva, id, random(2) === 0 ? `folder = 'archived'` : 'cleared_at = now()').catch(() => 0)
      await send(eva, id)
    }
    const pages = await allPages()
    expect(pages).toHaveLength(MORE)
    expect(pages).toEqual(await byLastMessage())
  })

  test('does not move the conversation that is at its top', async () => {
    const [top, other] = ids
    await send(eva, top)
    const before = await listedAt(top)
    await send(eva, top)
    expect(await listedAt(top)).toEqual(before)
    await send(eva, other)
    await send(eva, top)
    expect(await listedAt(top)).not.toEqual(before)
  })

  test('loses no conversation if messages that arrived at once left two in another order', async () => {
    const order = await byLastMessage()
    // The one at the end of the page and the next one.
    await community.sql`
      update conversation_views m set listed_at = other.listed_at - interval '1 microsecond'
       from conversation_views other
       where other.member_id = m.member_id and other.conversation_id = ${order[30]} and m.member_id = ${eva} and m.conversation_id = ${order[29]}`
    expect(new Set(await allPages())).toEqual(new Set(order))
  })
})

describe('MSG-13 a message request', () => {
  test('waits apart from the inbox, uncounted, and does not reveal that it was read', async () => {
    const id = await startConversation(ada, ben)
    expect([await folderOf(ada, id), await folderOf(ben, id)]).toEqual(['inbox', 'none'])
    const message = await send(ada, id)
    expect([await listed(ben, 'inbox'), await listed(ben, 'requests')]).toEqual([[], [id]])
    expect(await listed(ada, 'inbox')).toEqual([id])
    expect(await community.as(ben, 'select * from conversation_folders()')).toEqual([
      { folder: 'requests', conversations: 1 },
    ])
    expect(await unread(ben)).toBe(0)
    // Nothing is written.
    expect(await markRead(ben, id)).toEqual([])
    expect(await community.sql`select read, read_at from messages where id = ${message}`).toEqual([
      { read: false, read_at: null },
    ])
    await expect(
      community.as(
        ben,
      )`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '🔥')`,
    ).rejects.toThrow('Accept this request first.')
    await community.as(
      ada,
    )`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ada}, '👍')`
    expect(
      await community.as(ada)`select member_id from conversation_views where conversation_id = ${id}`,
    ).toEqual([{ member_id: ada }])

    await change(ben, id, `folder = 'inbox'`)
    expect([await listed(ben, 'inbox'), await listed(ben, 'requests')]).toEqual([[id], []])
    expect(await unread(ben)).toBe(1)
    expect(await markRead(ben, id)).toMatchObject([{ read: true }])
    expect(await unread(ben)).toBe(0)
  })

  test('is accepted by an answer, and by following its sender then or earlier', async () => {
    const answered = await startConversation(cleo, ben)
    await send(cleo, answered)
    expect(await folderOf(ben, answered)).toBe('requests')
    await send(ben, answered)
    expect(await folderOf(ben, answered)).toBe('inbox')

    const followed = await startConversation(dan, ben)
    await send(dan, followed)
    expect(await folderOf(ben, followed)).toBe('requests')
    const follow = 'insert into follows (follower_id, following_id) values ($1, $2)'
    await community.as(ben, follow, [ben, dan])
    expect(await folderOf(ben, followed)).toBe('inbox')

    await community.as(ben, follow, [ben, eva])
    const known = await startConversation(eva, ben)
    await send(eva, known)
    expect(await folderOf(ben, known)).toBe('inbox')
    // It stays accepted.
    await community.as(ben)`delete from follows where follower_id = ${ben}`
    await send(eva, known)
    expect(await folderOf(ben, known)).toBe('inbox')
  })

  test('has at most three messages until it is accepted, also after it was deleted', async () => {
    const id = await startConversation(ada, cleo)
    await send(ada, id, 'one')
    await change(cleo, id, 'cleared_at = now()')
    expect([await folderOf(cleo, id), await contents(cleo, id)]).toEqual(['none', []])
    expect(await contents(ada, id)).toEqual(['one'])
    await send(ada, id, 'two')
    expect([await folderOf(cleo, id), await contents(cleo, id)]).toEqual(['requests', ['two']])
    await send(ada, id, 'three')
    await expect(send(ada, id, 'four')).rejects.toEqual(refusal('PT403'))
    await change(cleo, id, `folder = 'inbox'`)
    await send(ada, id, 'four')
    expect(await contents(cleo, id)).toEqual(['two', 'three', 'four'])
  })

  test('leaves the list with a block of its sender', async () => {
    const id = await startConversation(ada, dan)
    await send(ada, id)
    await community.as(dan)`select block_members(array[${ada}]::uuid[])`
    expect([await listed(dan, 'requests'), await folderOf(dan, id)]).toEqual([[], 'none'])
  })

  const want = (member: string, from: string) =>
    community.as(member)`update profiles set new_messages_from = ${from} where id = ${member}`
  const follow = (follower: string, followed: string) =>
    community.as(follower)`insert into follows (follower_id, following_id) values (${follower}, ${followed})`

  test.each([
    // Where messages of a stranger, a follower and a followed member arrive.
    ['everyone', 'requests', 'requests', 'inbox'],
    ['followers', null, 'requests', 'inbox'],
    ['following', null, null, 'inbox'],
    ['nobody', null, null, null],
  ])(
    'to a member who receives new messages from %s',
    async (from, fromStranger, fromFollower, fromFollowed) => {
      const [recipient, stranger, follower, followed] = [
        await newMember(),
        await newMember(),
        await newMember(),
        await newMember(),
      ]
      await follow(follower, recipient)
      await follow(recipient, followed)
      await want(recipient, from)
      const arrivesIn = async (sender: string) => {
        const id = await startConversation(sender, recipient)
        try {
          await send(sender, id)
        } catch (cause) {
          expect(cause).toEqual(refusal('PT403'))
          return null
        }
        return folderOf(recipient, id)
      }
      expect([await arrivesIn(stranger), await arrivesIn(follower), await arrivesIn(followed)]).toEqual([
        fromStranger,
        fromFollower,
        fromFollowed,
      ])
    },
  )

  test('is not needed in a conversation that the member has accepted or started', async () => {
    const [recipient, accepted, asked] = [await newMember(), await newMember(), await newMember()]
    const earlier = await startConversation(accepted, recipient)
    await send(accepted, earlier)
    await send(recipient, earlier)
    await want(recipient, 'nobody')
    await send(accepted, earlier)
    const own = await startConversation(recipient, asked)
    await send(recipient, own)
    await send(asked, own)
    expect([await folderOf(recipient, earlier), await folderOf(recipient, own)]).toEqual(['inbox', 'inbox'])
    await expect(want(recipient, 'somebody')).rejects.toEqual(refusal('23514'))
  })
})

describe('MSG-14 delivered messages', () => {
  const deliver = (member: string) => community.as(member, 'select mark_delivered()')

  /** The time up to which the sender's messages have been delivered, and the time of the last message. */
  async function delivery(sender: string, conversation: unknown) {
    const [row] = await community.as(sender)`
      select m.delivered_at::text as delivered, c.last_message_at::text as last
       from conversation_views m join conversations c on c.id = m.conversation_id where c.id = ${conversation}`
    return row
  }

  async function expectDelivered(sender: string, conversation: unknown): Promise<void> {
    const times = await delivery(sender, conversation)
    expect(times?.delivered).toBe(times?.last)
  }

  async function newPair(): Promise<[sender: string, recipient: string, conversation: unknown]> {
    const [sender, recipient] = [await newMember(), await newMember()]
    const [row] = await community.sql`insert into conversations (participant_1, participant_2)
      values (${sender}, ${recipient}) returning id`
    return [sender, recipient, row?.id]
  }

  test('are reported to their sender only, up to the last one', async () => {
    const [sender, recipient, id] = await newPair()
    await send(sender, id)
    expect(await delivery(sender, id)).toMatchObject({ delivered: null })
    await deliver(sender)
    expect(await delivery(sender, id)).toMatchObject({ delivered: null })
    await deliver(recipient)
    await expectDelivered(sender, id)
    expect(await delivery(recipient, id)).toMatchObject({ delivered: null })
    const first = await delivery(sender, id)
    await send(sender, id)
    expect((await delivery(sender, id))?.delivered).toBe(first?.delivered)
    await deliver(recipient)
    await expectDelivered(sender, id)
    await send(recipient, id)
    await deliver(sender)
    await expectDelivered(recipient, id)
  })

  test.each([
    ['sender', 0],
    ['recipient', 1],
  ])(
    'SET-05 are not reported while the %s has Activity Status off, and are once both have it on',
    async (_, index) => {
      const pair = await newPair()
      const [sender, recipient, id] = pair
      const hiding = pair[index]
      const show = (isOn: boolean) =>
        community.as(String(hiding))`update profiles set show_activity_status = ${isOn} where id = ${hiding}`
      await send(sender, id)
      await deliver(recipient)
      const before = await delivery(sender, id)
      await show(false)
      await send(sender, id)
      await deliver(recipient)
      expect((await delivery(sender, id))?.delivered).toBe(before?.delivered)
      await show(true)
      await deliver(recipient)
      await expectDelivered(sender, id)
    },
  )

  test.each(['sender', 'recipient'])('report nothing while the %s blocks the other', async (blocker) => {
    const [sender, recipient, id] = await newPair()
    await send(sender, id)
    const [one, other] = blocker === 'sender' ? [sender, recipient] : [recipient, sender]
    await community.as(one)`select block_members(array[${other}]::uuid[])`
    await deliver(recipient)
    expect(await delivery(sender, id)).toMatchObject({ delivered: null })
  })

  test('need no report once they are read', async () => {
    const [sender, recipient, id] = await newPair()
    await send(sender, id)
    await markRead(recipient, id)
    await deliver(recipient)
    expect(await delivery(sender, id)).toMatchObject({ delivered: null })
  })
})

async function newMember(): Promise<string> {
  return community.join(`member.${crypto.randomUUID().slice(0, 8)}`)
}

describe('MSG-15 a member’s own view of a conversation', () => {
  const ids: unknown[] = []

  /** Conversations that no client started: both members have accepted them. */
  beforeAll(async () => {
    await community.sql('delete from conversations')
    for (const other of [ada, cleo, dan, eva]) ids.push(await imported(other))
  })

  async function imported(other: string): Promise<unknown> {
    const [row] = await community.sql`insert into conversations (participant_1, participant_2)
      values (${ben}, ${other}) returning id`
    await send(other, row?.id, 'first')
    return row?.id
  }

  test('archives it until the next message', async () => {
    const [id] = ids
    await change(ben, id, `folder = 'archived'`)
    expect(await listed(ben, 'archived')).toEqual([id])
    expect(await listed(ben, 'inbox')).not.toContain(id)
    expect(await listed(ada, 'inbox')).toContain(id)
    await send(ada, id, 'second')
    expect(await listed(ben, 'archived')).toEqual([])
    expect((await listed(ben, 'inbox'))[0]).toBe(id)
  })

  test('deletes it for the member only; a new message brings it back without the old ones', async () => {
    const [, id] = ids
    const before = await unread(ben)
    await change(ben, id, 'cleared_at = now()')
    expect(await unread(ben)).toBe(Number(before) - 1)
    expect([await listed(ben, 'inbox'), await contents(ben, id)]).toEqual([
      expect.not.arrayContaining([id]),
      [],
    ])
    expect(await contents(cleo, id)).toEqual(['first'])
    await send(cleo, id, 'again')
    expect([await folderOf(ben, id), await contents(ben, id)]).toEqual(['inbox', ['again']])
    expect(await contents(cleo, id)).toEqual(['first', 'again'])
    expect(await unread(ben)).toBe(before)
    // The messages that it hides stay unread.
    await markRead(ben, id)
    expect(
      await community.as(cleo)`select read from messages where conversation_id = ${id} order by created_at`,
    ).toEqual([{ read: false }, { read: true }])
  })

  test('pins at most five conversations, which come with the first page', async () => {
    const more = [await imported(await newMember()), await imported(await newMember())]
    const [first, ...others] = [...ids, ...more]
    for (const id of [first, ...others].slice(0, 5)) await change(ben, id, 'pinned_at = now()')
    await expect(change(ben, more[1], 'pinned_at = now()')).rejects.toEqual(refusal('PT409'))
    expect((await listed(ben, 'inbox')).length).toBe(6)
    const later = await community.as(ben)`select id from my_conversations(now(), ${first})`
    expect(later).toEqual([{ id: more[1] }])
    await change(ben, first, 'pinned_at = null')
    await change(ben, more[1], 'pinned_at = now()')
    await change(ben, more[1], `folder = 'archived'`)
    await expect(change(ben, more[1], 'pinned_at = now()')).rejects.toEqual(refusal('PT409'))
  })

  test('moves only to the inbox and the archive', async () => {
    const [, , id] = ids
    for (const folder of ['requests', 'none']) {
      await expect(change(ben, id, `folder = '${folder}'`)).rejects.toEqual(refusal('PT422'))
    }
    const request = await startConversation(cleo, ben).catch(() => id)
    await change(ben, request, 'cleared_at = now()')
    await expect(change(ben, request, `folder = 'archived'`)).rejects.toEqual(refusal('PT409'))
  })
})
