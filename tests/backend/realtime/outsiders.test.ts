import { expect, test, vi } from 'vitest'
import { type RawClient, rawClient } from '#tests/backend/realtime/raw-client'
import { type Member, sendMessage, startWithMembers } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation } = await startWithMembers({
  realtimeLimits: {
    channelsPerConnection: 200,
    messagesPerSecond: 1_000,
    bytesPerSecond: 10_000_000,
  },
})

async function accessToken({ client }: Member): Promise<string> {
  const { data } = await client.auth.getSession()
  if (data.session === null) throw new Error('No session')
  return data.session.access_token
}

/** Bindings that try to read messages of others. */
function bindings(message: string): object[] {
  const events = ['*', 'INSERT', 'UPDATE', 'insert', 'anything']
  const filters = [
    `conversation_id=eq.${conversation}`,
    `recipient_id=eq.${bea.id}`,
    `sender_id=eq.${ada.id}`,
    `recipient_id=in.(${ada.id},${bea.id},${cyd.id})`,
    `recipient_id=neq.${cyd.id}`,
    `id=eq.${message}`,
    'content=like.%',
    'content=not.is.null',
    'created_at=gt.2000-01-01',
    `sender_id=eq.${ada.id},recipient_id=eq.${bea.id}`,
    '',
  ]
  return [
    ...events.map((event) => ({ event, schema: 'public', table: 'messages' })),
    ...events.map((event) => ({ event, schema: 'public', table: '*' })),
    ...events.map((event) => ({ event, schema: '*', table: '*' })),
    ...events.map((event) => ({ event, schema: '*' })),
    ...events.map((event) => ({ event, table: 'messages' })),
    { schema: 'public', table: 'messages' },
    { event: '*', schema: 'public', table: 'messages', select: ['content'] },
    ...filters.map((filter) => ({ event: '*', schema: 'public', table: 'messages', filter })),
    ...served(),
  ]
}

/** Bindings that the server accepts from a member. */
function served(): object[] {
  return [
    { event: 'INSERT', schema: 'public', table: 'messages', filter: `conversation_id=eq.${conversation}` },
    { event: 'INSERT', schema: 'public', table: 'notifications', filter: `user_id=eq.${bea.id}` },
  ]
}

const config = (postgres_changes: object[]) => ({ postgres_changes })

test('MSG-05 an outsider receives nothing of a conversation with any subscription', async () => {
  const message = await sendMessage(ada, conversation, 'a secret')
  const asked = bindings(message)
  const key = server.backend.publishableKey
  const outsiders: [string, RawClient][] = []
  const identities = [
    ['another member', await accessToken(cyd)],
    ['nobody', undefined],
    ['a key instead of a token', key],
    ['a member that is no more', await server.token({ sub: crypto.randomUUID() })],
    ['a member without an id', await server.token({})],
    ['a visitor’s role', await server.token({ role: 'anon', sub: ada.id })],
  ] as const
  for (const [who, token] of identities) {
    const client = await rawClient(server)
    outsiders.push([who, client])
    // A channel with all bindings, one with the accepted ones, and one per binding: a rejected binding rejects its channel.
    await client.join('realtime:all', config(asked), token)
    await client.join('realtime:served', config(served()), token)
    for (const [number, binding] of asked.entries())
      await client.join(`realtime:${number}`, config([binding]), token)
    await client.join(`realtime:room:${conversation}:0`, config(asked), token)
    for (const member of [ada, bea]) {
      const { payload } = await client.join(`realtime:member:${member.id}`, { private: true }, token)
      expect([who, payload.status]).toEqual([who, 'error'])
    }
    await client.join('realtime:public:messages', {}, token)
  }
  const inside = await rawClient(server)
  await inside.join('realtime:in', config(served()), await accessToken(bea))
  const observer = await rawClient(server)
  await observer.join('realtime:own', config(served()), await accessToken(cyd))

  await sendMessage(ada, conversation, 'another secret')
  await bea.client.from('messages').update({ read: true }).eq('id', message)
  await ada.client.from('messages').update({ deleted_at: new Date().toISOString() }).eq('id', message)
  await vi.waitFor(() => {
    expect(inside.received.filter(({ event }) => event === 'postgres_changes')).toHaveLength(1)
  })
  await server.backend.realtime.settled()
  for (const [who, client] of [...outsiders, ['a second connection', observer] as const]) {
    // Anything sent before the reply would have arrived first.
    await client.ask('phoenix', 'heartbeat', {})
    const delivered = client.received.filter(({ event }) => !['phx_reply', 'system'].includes(event))
    expect([who, delivered]).toEqual([who, []])
    expect(JSON.stringify(client.received)).not.toContain('secret')
    client.socket.terminate()
  }
  inside.socket.terminate()
  expect(server.log.join('\n')).not.toMatch(/secret|eyJ/)
})

test('the tables behind Realtime are not exposed by the API', async () => {
  for (const schema of ['realtime', 'private']) {
    const { error } = await cyd.client.schema(schema).from('messages').select('*')
    expect(error?.code).toBe('PGRST106')
  }
  const { error } = await cyd.client.rpc('send', { payload: {}, event: 'x', topic: 'y' })
  expect(error?.code).toBe('PGRST202')
})
