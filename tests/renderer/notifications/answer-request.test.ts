import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notificationKeys } from '#/renderer/features/notifications/queries'
import { answerRequestOptions, followRequestsOptions } from '#/renderer/features/notifications/requests'
import { createQueryClient, refetch } from '#/renderer/lib/query-client'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

const server = vi.hoisted(() => ({
  /** Who asks. */
  askers: ['a', 'b', 'c'],
  /** Answers under way, each to be let through or refused. */
  writes: [] as ((error?: Error) => void)[],
  /** Reads under way; each tells what was true when it was begun. */
  reads: [] as (() => void)[],
}))

vi.mock('#/renderer/lib/supabase', () => {
  class Request {
    isWrite = false
    asker = ''
    select = () => this
    order = () => this
    limit = () => this
    delete = () => Object.assign(this, { isWrite: true })
    eq = (column: string, value: string) =>
      column === 'requester_id' ? Object.assign(this, { asker: value }) : this
  }
  return {
    supabase: () => ({ from: () => new Request() }),
    unwrap: ({ isWrite, asker }: Request) =>
      new Promise((resolve, reject) => {
        if (!isWrite) {
          const rows = server.askers.map((id) => ({ requester_id: id, requester: {} }))
          server.reads.push(() => resolve(rows))
          return
        }
        server.writes.push((error) => {
          if (error !== undefined) return reject(error)
          server.askers = server.askers.filter((id) => id !== asker)
          resolve(null)
        })
      }),
  }
})

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

function openList(client: QueryClient) {
  return new QueryObserver(client, followRequestsOptions(client, 'me'))
}

let client: QueryClient
let list: ReturnType<typeof openList>
/** All that was shown, one after the other. */
let seen: string[]
let close: () => void

const shown = () => (list.getCurrentResult().data ?? []).map(({ requester_id }) => requester_id).join()

async function letReadsThrough(): Promise<void> {
  for (const read of server.reads.splice(0)) read()
  await settle()
}

async function decline(requesterId: string): Promise<void> {
  const answering = new MutationObserver(client, answerRequestOptions(client, 'me'))
  answering.mutate({ requesterId, isAccepted: false }).catch(() => undefined)
  await settle()
}

beforeEach(async () => {
  server.askers = ['a', 'b', 'c']
  server.writes = []
  server.reads = []
  client = createQueryClient()
  list = openList(client)
  seen = []
  close = list.subscribe(() => {
    if (shown() !== seen.at(-1)) seen.push(shown())
  })
  await letReadsThrough()
})

afterEach(() => {
  close()
  client.clear()
})

test('NOTE-01 what is read for another reason does not bring back who is being answered', async () => {
  await decline('a')
  void refetch(client, notificationKeys.all)
  await settle()
  server.askers.push('d')
  await letReadsThrough()
  await decline('b')
  void refetch(client, notificationKeys.all)
  await settle()
  // The first answer has arrived; the second has not, and what is being read does not know of either.
  server.writes.shift()?.()
  await settle()
  await letReadsThrough()
  server.writes.shift()?.()
  await settle()
  await letReadsThrough()
  expect(seen).toEqual(['', 'a,b,c', 'b,c', 'c', 'c,d'])
})

test('NOTE-01 a refused answer brings the request back', async () => {
  await decline('b')
  server.writes.shift()?.(new Error('refused'))
  await settle()
  await letReadsThrough()
  expect(seen).toEqual(['', 'a,b,c', 'a,c', 'a,b,c'])
})
