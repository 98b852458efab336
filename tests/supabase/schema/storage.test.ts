import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { follow, like, publish } from './support/actions'
import { openSessions, type Sessions, type Tx } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())

interface Updates {
  all: number
  inPlace: number
}

/** Waits until the statistics have this many updates of a table more, and returns them. */
async function updatesOf(table: string, before: Updates, least: number): Promise<Updates> {
  return await vi.waitFor(
    async () => {
      const { all, inPlace } = await readUpdates(table)
      expect(all - before.all, `updates of ${table} in the statistics`).toBeGreaterThanOrEqual(least)
      return { all: all - before.all, inPlace: inPlace - before.inPlace }
    },
    { timeout: 60_000, interval: 200 },
  )
}

/** Each session reports its statistics once it does something, at most once a second. */
async function readUpdates(table: string): Promise<Updates> {
  await Promise.all(Array.from({ length: 12 }, () => sessions.sql`select pg_sleep(0.02)`))
  const [row] = await sessions.sql`
    select n_tup_upd::integer as all, n_tup_hot_upd::integer as "inPlace" from pg_stat_user_tables
    where relname = ${table} and schemaname in ('public', 'private')`
  return { all: row?.all, inPlace: row?.inPlace }
}

/** One writes, and the other's app reports it as delivered and marks it as read. */
async function write(conversation: unknown, sender: string, reader: string): Promise<void> {
  await sessions.as(
    sender,
    (tx) =>
      tx`insert into messages (conversation_id, sender_id, content) values (${String(conversation)}, ${sender}, 'hi')`,
  )
  await sessions.as(reader, (tx) => tx`select mark_delivered()`)
  await sessions.as(
    reader,
    (tx) => tx`update messages set read = true
      where conversation_id = ${String(conversation)} and recipient_id = ${reader} and read is false`,
  )
}

describe('rows that change with each event are updated in place', () => {
  const MEMBERS = 24
  const DIALOGUES = 20
  /** Messages of one dialogue: a question, an answer and so on, before one of the two writes to somebody else. */
  const TURNS = 6

  test('MSG-02 conversations and their members in dialogues, over 80 % of the updates', async () => {
    const members: string[] = []
    for (let n = 0; n < MEMBERS; n += 1) members.push(await sessions.join(`writer.${n}`))
    const chats = await sessions.sql.begin(async (tx) => {
      const rows = await tx`
        insert into conversations (participant_1, participant_2)
        select one, two from unnest(${members}::uuid[]) as one, unnest(${members}::uuid[]) as two where one < two
        returning id, participant_1 as one, participant_2 as two`
      await tx`update conversation_views set folder = 'inbox', accepted = true`
      return rows
    })
    const before = {
      conversations: await readUpdates('conversations'),
      conversation_views: await updatesOf('conversation_views', { all: 0, inPlace: 0 }, 2 * chats.length),
    }
    for (let n = 0; n < DIALOGUES; n += 1) {
      const chat = chats[(n * 37) % chats.length]
      for (let turn = 0; turn < TURNS; turn += 1) {
        const [sender, reader] = turn % 2 === 0 ? [chat?.one, chat?.two] : [chat?.two, chat?.one]
        await write(chat?.id, sender, reader)
      }
    }
    const messages = DIALOGUES * TURNS
    const conversations = await updatesOf('conversations', before.conversations, messages)
    // The sender's and the recipient's row, then delivered and no longer undelivered, then no longer unread.
    const rows = await updatesOf('conversation_views', before.conversation_views, 5 * messages)
    expect(conversations.inPlace / conversations.all).toBeGreaterThan(0.8)
    expect(rows.inPlace / rows.all).toBeGreaterThan(0.8)
  })

  test('LIKE-01 PROF-03 posts and profiles whose counters change, over 80 % of the updates', async () => {
    const authors: string[] = []
    for (let n = 0; n < 10; n += 1) authors.push(await sessions.join(`author.${n}`))
    const post = '01890a5d-ac96-774b-bcce-b302099a8057'
    const [author = ''] = authors
    await sessions.as(author, publish(post, author))
    const before = { posts: await readUpdates('posts'), profiles: await readUpdates('profiles') }
    const fans = authors.slice(1)
    for (let round = 0; round < 4; round += 1) {
      for (const fan of fans) {
        await sessions.as(fan, like(fan, post))
        await sessions.as(fan, follow(fan, author))
        await sessions.as(fan, (tx: Tx) => tx`delete from likes where user_id = ${fan}`)
        await sessions.as(fan, (tx: Tx) => tx`delete from follows where follower_id = ${fan}`)
      }
    }
    const events = 2 * 4 * fans.length
    const posts = await updatesOf('posts', before.posts, events)
    const profiles = await updatesOf('profiles', before.profiles, 2 * events)
    expect(posts.inPlace / posts.all).toBeGreaterThan(0.8)
    expect(profiles.inPlace / profiles.all).toBeGreaterThan(0.8)
  })
})
