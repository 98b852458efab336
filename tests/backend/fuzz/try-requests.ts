import fc from 'fast-check'
import { expect } from 'vitest'
import type { Backend } from '#/backend/start-backend'
import { type HandMade, handMadeRequests } from './requests'
import { type Keepers, SECRET } from './secrets'

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

/** Random requests by hand: none is answered with an error of the server's, none is told a secret. */
export async function tryRequests(
  backend: Backend,
  keepers: Keepers,
  parameters: fc.Parameters<[HandMade]>,
): Promise<Statuses> {
  const statuses: Statuses = {}
  await fc.assert(
    fc.asyncProperty(handMadeRequests(keepers.ids), async (request) => {
      const { status, text } = await sendByHand(backend, keepers, request)
      statuses[status] = (statuses[status] ?? 0) + 1
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain(SECRET)
    }),
    parameters,
  )
  return statuses
}
