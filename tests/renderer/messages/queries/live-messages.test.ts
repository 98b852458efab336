import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import type { History } from '#/renderer/features/messages/model/history'
import { createMessageBatch } from '#/renderer/features/messages/queries/messages'
import { message } from '../messages'

vi.mock('#/renderer/lib/server/supabase', () => ({}))

function loaded() {
  const client = new QueryClient()
  const key = messageKeys.history('conversation')
  client.setQueryData<History>(key, { messages: [message('known', 0)], hasOlder: false })
  let changes = 0
  client.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') changes += 1
  })
  const ids = () => client.getQueryData<History>(key)?.messages.map(({ id }) => id)
  return { batch: createMessageBatch(client), ids, changes: () => changes }
}

test('MSG-05 live messages of one turn change the conversation once, and are in it before the next task', async () => {
  const { batch, ids, changes } = loaded()
  for (let minute = 300; minute > 0; minute -= 1) batch.add(message(`live ${minute}`, minute))
  await Promise.resolve()
  expect(changes()).toBe(1)
  expect(ids()).toEqual(['known', ...Array.from({ length: 300 }, (_, index) => `live ${index + 1}`)])
  batch.add(message('later', 400))
  await Promise.resolve()
  expect(ids()?.at(-1)).toBe('later')
})

test('MSG-05 what has to follow the messages of a turn can merge them before its end', async () => {
  const { batch, ids, changes } = loaded()
  batch.add(message('live', 1))
  batch.apply()
  expect(ids()).toEqual(['known', 'live'])
  await Promise.resolve()
  expect(changes()).toBe(1)
})
