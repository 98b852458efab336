import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type Member,
  mustSubscribe,
  type RealtimeServer,
  sendMessage,
  startRealtimeServer,
} from '#tests/backend/realtime/support'

type Row = Record<string, unknown>
type Event = RealtimePostgresChangesPayload<Row>

let server: RealtimeServer
let ada: Member
let bea: Member
let cyd: Member
let conversation: string

beforeAll(async () => {
  server = await startRealtimeServer()
  ada = await server.member('ada')
  bea = await server.member('bea')
  cyd = await server.member('cyd')
  conversation = await server.conversation(ada, bea)
})
afterAll(() => server.stop())

/** Follows a table as a member; what is told is collected. */
async function follow(
  { client }: Member,
  binding: {
    event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
    table?: string
    schema?: string
    filter?: string
  } = {},
): Promise<Event[]> {
  const events: Event[] = []
  const { event = '*', schema = 'public', ...rest } = binding
  const channel = client.channel(`test:${crypto.randomUUID()}`)
  channel.on<Row>('postgres_changes', { event: event as '*', schema, ...rest }, (payload) =>
    events.push(payload),
  )
  await mustSubscribe(channel)
  return events
}

describe('postgres_changes', () => {
  test('MSG-05 a message is told to its sender and its recipient, with the row as they may read it', async () => {
    const toBea = await follow(bea, {
      event: 'INSERT',
      table: 'messages',
      filter: `recipient_id=eq.${bea.id}`,
    })
    const ofAda = await follow(ada, { event: 'INSERT', table: 'messages', filter: `sender_id=eq.${ada.id}` })
    const id = await sendMessage(ada, conversation, 'hello "ünï" 💙')
    await vi.waitFor(() => expect([toBea.length, ofAda.length]).toEqual([1, 1]))
    const { data } = await bea.client.from('messages').select('*').eq('id', id).single()
    expect(toBea[0]).toMatchObject({
      eventType: 'INSERT',
      schema: 'public',
      table: 'messages',
      errors: null,
      new: data,
      old: {},
    })
    expect(ofAda[0]?.new).toEqual(data)
  })

  test('MSG-10 an update tells the new row and the old key', async () => {
    const id = await sendMessage(ada, conversation, 'unread')
    const events = await follow(ada, { event: 'UPDATE', table: 'messages', filter: `sender_id=eq.${ada.id}` })
    await bea.client.from('messages').update({ read: true }).eq('id', id)
    await vi.waitFor(() => expect(events).toHaveLength(1))
    expect(events[0]).toMatchObject({ eventType: 'UPDATE', new: { id, read: true }, old: { id } })
    expect(Object.keys(events[0]?.old ?? {})).toEqual(['id'])
  })

  test('NOTE-03 a notification is told to whom it is for', async () => {
    const own = await follow(ada, { event: 'INSERT', table: 'notifications', filter: `user_id=eq.${ada.id}` })
    await cyd.client.from('follows').insert({ follower_id: cyd.id, following_id: ada.id })
    await vi.waitFor(() => expect(own).toHaveLength(1))
    expect(own[0]?.new).toMatchObject({ type: 'follow', actor_id: cyd.id, user_id: ada.id, read: false })
  })
})
