import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { allFinished } from '#/renderer/lib/core/pending-work-store'
import { createQueryClient, refetch } from '#/renderer/lib/queries/query-client'

const KEY = ['things'] as const

/** A screen that shows the server's value; each read returns the value from when it started. */
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

test.each(['first', 'later'])(
  'refetch does not join the %s read in flight, whose response may be older',
  async (which) => {
    const { client, server, shown, close } = openScreen()
    if (which === 'later') {
      server.answer.shift()?.()
      await settle()
      void client.invalidateQueries({ queryKey: KEY })
      await settle()
    }
    const before = server.reads
    server.value = 'new'
    const done = refetch(client, KEY)
    await settle()
    expect(server.reads).toBe(before + 1)
    for (const answer of server.answer.splice(0)) answer()
    await done
    expect(shown()).toBe('new')
    close()
  },
)

test('refetch leaves a query without observers to its next mount', async () => {
  const { client, server, close } = openScreen()
  server.answer.shift()?.()
  await settle()
  close()
  await refetch(client, KEY)
  expect(server.reads).toBe(1)
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
})

test('a failed mutation is logged once, with the name of its action; without a name its caller logs', async () => {
  vi.mocked(logFailure).mockClear()
  const cause = new AppError('server', '', 'test')
  const client = createQueryClient()
  const mutate = (meta: { meta?: { action: string } }) =>
    new MutationObserver(client, { mutationFn: () => Promise.reject(cause), ...meta }).mutate()
  await expect(mutate({ meta: { action: 'edit post' } })).rejects.toBe(cause)
  await expect(mutate({})).rejects.toBe(cause)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['edit post', cause]])
})

test.each(['succeeds', 'fails'])(
  'quitting waits for a mutation that %s, including its last callback',
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
