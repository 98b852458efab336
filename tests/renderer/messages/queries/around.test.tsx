import { QueryClient } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import type { History } from '#/renderer/features/messages/model/history'
import { getHistory, useAroundQuery } from '#/renderer/features/messages/queries/messages'
import { showHook } from '#tests/renderer/dom'
import { fakeServer, signIn } from '#tests/renderer/fake-server'
import { idOf } from '../conversations'
import { message } from '../messages'

test('MSG-14 a wanted message is looked for once the newest messages are loaded: before that it would be lost', async () => {
  const server = fakeServer()
  signIn()
  const wanted = message(idOf(1), 1)
  server.on('GET messages', ({ query }) => (query.get('id') === `eq.${wanted.id}` ? wanted : []))
  const client = new QueryClient()
  const { result, rerender } = showHook(() => useAroundQuery('conversation', wanted.id), { client })
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(server.calls).toEqual([])
  expect(result.current).toBe(true)

  const newest: History = { messages: [message(idOf(2), 9)], hasOlder: true }
  client.setQueryData(messageKeys.history('conversation'), newest)
  rerender()
  await vi.waitFor(() =>
    expect(getHistory(client, 'conversation')?.messages.map(({ id }) => id)).toContain(wanted.id),
  )
})
