import { expect, test } from 'vitest'
import type { AuthCall } from '#/backend/http/auth-calls'
import { createAuthGuard } from '#/backend/http/auth-guard'
import type { Caller } from '#/backend/http/caller'

const CALLER: Caller = { member: null, isGone: () => false, reserve: () => true }
const SIGN_IN: AuthCall = {
  purpose: 'password',
  target: '/auth/v1/token?grant_type=password',
  body: null,
  email: 'ada@example.com',
  changesEmail: false,
}

/** The statuses of sign-ins to which the auth service responds with this status, one after the other. */
async function signIns(guard: ReturnType<typeof createAuthGuard>, status: number, count: number) {
  const statuses: number[] = []
  for (let number = 0; number < count; number += 1) {
    const response = await guard(SIGN_IN, CALLER, async () => new Response(null, { status }))
    statuses.push(response.status)
  }
  return statuses
}

const newGuard = () => createAuthGuard({ hasAccount: async () => true, now: () => 0 })

test('the eleventh failed sign-in in a row is refused', async () => {
  expect(await signIns(newGuard(), 400, 11)).toEqual([...Array(10).fill(400), 429])
})

test.each([200, 429, 500, 503])('sign-ins with status %i do not count as failures', async (status) => {
  const guard = newGuard()
  expect(await signIns(guard, status, 20)).toEqual(Array(20).fill(status))
  expect(await signIns(guard, 400, 10)).toEqual(Array(10).fill(400))
})

test('a successful sign-in resets the failures', async () => {
  const guard = newGuard()
  await signIns(guard, 400, 9)
  await signIns(guard, 200, 1)
  expect(await signIns(guard, 400, 10)).toEqual(Array(10).fill(400))
})
