import { expect, test } from 'vitest'
import { createSignInLimit } from '#/backend/http/sign-in-limit'

const ADA = 'ada@example.com'

/** The statuses of sign-ins to which the auth service responds with this status, one after the other. */
async function signIns(
  limit: ReturnType<typeof createSignInLimit>,
  status: number,
  count: number,
  email = ADA,
) {
  const statuses: number[] = []
  for (let number = 0; number < count; number += 1)
    statuses.push((await limit(email, async () => new Response(null, { status }))).status)
  return statuses
}

const newLimit = () => createSignInLimit(() => 0)

test('refuses an eleventh failed sign-in in a quarter of an hour', async () => {
  let now = 0
  const limit = createSignInLimit(() => now)
  expect(await signIns(limit, 400, 9)).toEqual(Array(9).fill(400))
  now = 60_000
  expect(await signIns(limit, 400, 2)).toEqual([400, 429])
  const refused = await limit(ADA, async () => new Response())
  expect(refused.headers.get('retry-after')).toBe(String(14 * 60))
  now = 15 * 60_000
  expect(await signIns(limit, 400, 1)).toEqual([400])
})

test('counts parallel attempts before they are made', async () => {
  const limit = newLimit()
  const all = Array.from({ length: 60 }, () => limit(ADA, async () => new Response(null, { status: 400 })))
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(10)
})

test('does not refuse other members', async () => {
  const limit = newLimit()
  await signIns(limit, 400, 20)
  expect(await signIns(limit, 400, 1)).toEqual([429])
  expect(await signIns(limit, 400, 1, 'bea@example.com')).toEqual([400])
})

test.each([200, 429, 500, 503])('sign-ins with status %i do not count as failures', async (status) => {
  const limit = newLimit()
  expect(await signIns(limit, status, 20)).toEqual(Array(20).fill(status))
  expect(await signIns(limit, 400, 10)).toEqual(Array(10).fill(400))
})

test('a successful sign-in resets the failures', async () => {
  const limit = newLimit()
  await signIns(limit, 400, 9)
  await signIns(limit, 200, 1)
  expect(await signIns(limit, 400, 10)).toEqual(Array(10).fill(400))
})

test('forgets the oldest e-mails, so that made-up ones cannot fill the memory', async () => {
  const limit = newLimit()
  await signIns(limit, 400, 10)
  for (let index = 0; index < 20_000; index += 1) await signIns(limit, 400, 1, `${index}@example.com`)
  expect(await signIns(limit, 400, 1)).toEqual([400])
})
