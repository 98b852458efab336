import { expect, onTestFinished, test, vi } from 'vitest'
import { makeHostile } from '#tests/backend/database/hostile-statements'
import type { Row } from './follow'
import { sendMessage, startWithMembers } from './support'

const { server, ada, bea, conversation } = await startWithMembers()

/** The states of bea's subscription to the conversation, and the messages that it receives. */
async function watchMessages() {
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
  return { states, received }
}

test('MSG-08 clients rejoin after the database was reopened, and receive new messages', async () => {
  await server.backend.exclusive(() => makeHostile(server.backend.pg))
  const { states, received } = await watchMessages()
  const { status } = await ada.client.rpc('username_available', { name: 'hang' })
  expect(status).toBe(504)
  await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']))
  await sendMessage(ada, conversation, 'afterwards')
  await vi.waitFor(() => expect(received).toEqual(['afterwards']))
})

test('an idle database is reopened to release memory, and clients stay and receive new messages', {
  tags: 'long',
}, async () => {
  const { states, received } = await watchMessages()
  await server.backend.exclusive(() =>
    server.backend.maintenance.query(`select length(repeat('x', 150000000))`),
  )
  await vi.waitFor(() =>
    expect(server.log.join('\n')).toMatch(/info The database was reopened: its memory had grown by \d+ MB\./),
  )
  await sendMessage(ada, conversation, 'after the pause')
  await vi.waitFor(() => expect(received).toEqual(['after the pause']))
  expect(states).toEqual(['SUBSCRIBED'])
})
