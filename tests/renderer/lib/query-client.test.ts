import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { createQueryClient, readAnew } from '#/renderer/lib/query-client'
import { allFinished } from '#/renderer/lib/under-way'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

const KEY = ['things'] as const

/** A screen that shows what a server knows; each read tells what was true when it began. */
function openScreen() {
  const client = createQueryClient()
  const server = { value: 'old', reads: 0, answer: [] as (() => void)[] }
  const read = () => {
    server.reads += 1
    const { value } = server
    return new Promise<string>((resolve) => server.answer.push(() => resolve(value)))
  }
  const screen = new QueryObserver(client, { queryKey: KEY, queryFn: read, staleTime: 0 })
  const close = screen.subscribe(() => undefined)
  return { client, server, shown: () => screen.getCurrentResult().data, close }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

test.each(['first', 'later'])('reading anew does not join the %s read, which may be older', async (which) => {
  const { client, server, shown, close } = openScreen()
  if (which === 'later') {
    server.answer.shift()?.()
    await settle()
    void client.invalidateQueries({ queryKey: KEY })
    await settle()
  }
  const before = server.reads
  server.value = 'new'
  const done = readAnew(client, KEY)
  await settle()
  expect(server.reads).toBe(before + 1)
  for (const answer of server.answer.splice(0)) answer()
  await done
  expect(shown()).toBe('new')
  close()
})

test('what nobody shows is read when it is shown again, not before', async () => {
  const { client, server, close } = openScreen()
  server.answer.shift()?.()
  await settle()
  close()
  await readAnew(client, KEY)
  expect(server.reads).toBe(1)
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
})

test.each(['succeeds', 'fails'])(
  'quitting waits for a mutation that %s, until its last callback is done',
  async (end) => {
    const did: string[] = []
    const later = (what: string) => async () => {
      await settle()
      did.push(what)
    }
    const mutation = new MutationObserver(createQueryClient(), {
      mutationFn: async () => {
        await later('sent')()
        if (end === 'fails') throw new Error('refused')
      },
      onSuccess: later('success'),
      onError: later('error'),
      onSettled: later('settled'),
    })
    mutation.mutate().catch(() => undefined)
    await allFinished()
    expect(did).toEqual(['sent', end === 'fails' ? 'error' : 'success', 'settled'])
  },
)
