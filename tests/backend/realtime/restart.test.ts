import { expect, onTestFinished, test, vi } from 'vitest'
import { makeHostile } from '#tests/backend/database/hostile-statements'
import type { Row } from './follow'
import { sendMessage, startWithMembers } from './support'

const { server, ada, bea, conversation } = await startWithMembers()

test('MSG-08 clients rejoin after the database was reopened, and receive new messages', async () => {
  await server.backend.exclusive(() => makeHostile(server.backend.pg))
  const states: string[] = []
  const received: string[] = []
  const channel = bea.client.channel('watched')
  onTestFinished(() => bea.client.removeChannel(channel).then(() => undefined))
  const messages = {
    event: 'INSERT',
    schema: 'public',
    table: 'messages',
    filter: `conversation_id=eq.${conversation}`,
  } as const
  channel.on<Row>('postgres_changes', messages, ({ new: row }) => received.push(String(row.content)))
  channel.subscribe((state) => states.push(state))
  await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED']))

  const { status } = await ada.client.rpc('username_available', { name: 'hang' })
  expect(status).toBe(504)
  await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']))
  await sendMessage(ada, conversation, 'afterwards')
  await vi.waitFor(() => expect(received).toEqual(['afterwards']))
})
