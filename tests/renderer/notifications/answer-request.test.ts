import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notificationKeys } from '#/renderer/features/notifications/keys'
import { answerRequestOptions } from '#/renderer/features/notifications/mutations'
import { followRequestsOptions } from '#/renderer/features/notifications/queries'
import { createQueryClient, refetch } from '#/renderer/lib/queries/query-client'

const server = vi.hoisted(() => ({
  /** Members with a pending request. */
  requesters: ['a', 'b', 'c'],
  /** Writes in flight; each call completes or refuses one. */
  writes: [] as ((error?: Error) => void)[],
  /** Reads in flight; each returns the rows of the moment it started. */
  reads: [] as (() => void)[],
}))

vi.mock('#/renderer/lib/server/supabase', () => {
  class Request {
    isWrite = false
    requester = ''
    select = () => this
    order = () => this
    limit = () => this
    eq = () => this
  }
  return {
    supabase: () => ({
      from: () => new Request(),
      rpc: (_name: string, { follower }: { follower: string }) =>
        Object.assign(new Request(), { isWrite: true, requester: follower }),
    }),
    unwrap: ({ isWrite, requester }: Request) =>
      new Promise((resolve, reject) => {
        if (!isWrite) {
          const rows = server.requesters.map((id) => ({ requester_id: id, requester: {} }))
          server.reads.push(() => resolve(rows))
          return
        }
        server.writes.push((error) => {
          if (error !== undefined) return reject(error)
          server.requesters = server.requesters.filter((id) => id !== requester)
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
/** Every list that was shown, in order. */
let seen: string[]
let close: () => void

const shown = () => (list.getCurrentResult().data ?? []).map(({ requester_id }) => requester_id).join()

async function completeReads(): Promise<void> {
  for (const read of server.reads.splice(0)) read()
  await settle()
}

async function decline(requesterId: string): Promise<void> {
  const answering = new MutationObserver(client, answerRequestOptions(client, 'me'))
  answering.mutate({ requesterId, isAccepted: false }).catch(() => undefined)
  await settle()
}

beforeEach(async () => {
  server.requesters = ['a', 'b', 'c']
  server.writes = []
  server.reads = []
  client = createQueryClient()
  list = openList(client)
  seen = []
  close = list.subscribe(() => {
    if (shown() !== seen.at(-1)) seen.push(shown())
  })
  await completeReads()
})

afterEach(() => {
  close()
  client.clear()
})

test('NOTE-01 a refetch during an answer does not restore the answered request', async () => {
  await decline('a')
  void refetch(client, notificationKeys.all)
  await settle()
  server.requesters.push('d')
  await completeReads()
  await decline('b')
  void refetch(client, notificationKeys.all)
  await settle()
  // The first answer is complete, the second is in flight, and the running read started before both.
  server.writes.shift()?.()
  await settle()
  await completeReads()
  server.writes.shift()?.()
  await settle()
  await completeReads()
  expect(seen).toEqual(['', 'a,b,c', 'b,c', 'c', 'c,d'])
})
