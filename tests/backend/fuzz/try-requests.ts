import fc from 'fast-check'
import { expect } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { ownProcessorMs } from '#tests/backend/support/processor-time'
import { type RestRequest, randomRequests } from './requests'
import { type PrivateCommunity, SECRET } from './secrets'
import { servedRequests } from './served-requests'

/** The number of responses by status. */
export type Statuses = Record<number, number>

/** Sends a request as the stranger and returns the status and text of the response. */
export async function sendRequest(backend: Backend, { stranger }: PrivateCommunity, request: RestRequest) {
  const answer = await fetch(backend.url + request.path, {
    method: request.method,
    headers: {
      ...request.headers,
      apikey: backend.publishableKey,
      authorization: `Bearer ${stranger.token}`,
    },
    ...(request.body !== undefined && { body: request.body }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** After this many requests, another member's request must succeed. */
const BATCH = 50

/** How much processor time that request may take, in ms. */
const FRIEND_MAX_MS = 2_000

/**
 * Sends random requests, half of them in a form that the server accepts. The server must never fail, reveal no secret, keep
 * responding to other members and keep their data.
 */
export async function tryRequests(
  backend: Backend,
  community: PrivateCommunity,
  parameters: fc.Parameters<[RestRequest]>,
): Promise<Statuses> {
  const statuses: Statuses = {}
  const before = await community.storedRows()
  let sent = 0
  const checkOthers = async () => {
    const start = ownProcessorMs()
    expect(await community.readAsFriend()).toEqual([SECRET])
    expect(ownProcessorMs() - start).toBeLessThan(FRIEND_MAX_MS)
    expect(await community.storedRows()).toBe(before)
  }
  const requests = fc.oneof(randomRequests(community.ids), servedRequests(community.ids))
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { status, text } = await sendRequest(backend, community, request)
      statuses[status] = (statuses[status] ?? 0) + 1
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain(SECRET)
      sent += 1
      if (sent % BATCH === 0) await checkOthers()
    }),
    parameters,
  )
  await checkOthers()
  return statuses
}
