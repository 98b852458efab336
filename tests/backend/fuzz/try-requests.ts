import fc from 'fast-check'
import { expect } from 'vitest'
import type { Backend } from '#/backend/start-backend'
import { type HandMade, handMadeRequests } from './requests'
import { type Keepers, SECRET } from './secrets'
import { servedRequests } from './served-requests'

/** Statuses of the answers, each with how often it was given. */
export type Statuses = Record<number, number>

/** Sends a hand-made request as the stranger and gives its answer's status and text. */
export async function sendByHand(backend: Backend, { stranger }: Keepers, request: HandMade) {
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

/** After so many requests another member has to be answered. */
const BATCH = 50

/** How long that member may wait, in milliseconds. */
const FRIEND_WAITS = 2_000

/**
 * Sends random requests, half of them in the form that is served: the server never fails, shows no secret, answers other
 * members and keeps what they have.
 */
export async function tryRequests(
  backend: Backend,
  keepers: Keepers,
  parameters: fc.Parameters<[HandMade]>,
): Promise<Statuses> {
  const statuses: Statuses = {}
  const before = await keepers.kept()
  let sent = 0
  const checkOthers = async () => {
    const start = performance.now()
    expect(await keepers.readAsFriend()).toEqual([SECRET])
    expect(performance.now() - start).toBeLessThan(FRIEND_WAITS)
    expect(await keepers.kept()).toBe(before)
  }
  const requests = fc.oneof(handMadeRequests(keepers.ids), servedRequests(keepers.ids))
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { status, text } = await sendByHand(backend, keepers, request)
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
