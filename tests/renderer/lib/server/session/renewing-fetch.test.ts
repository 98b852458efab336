import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renewingFetch } from '#/renderer/lib/server/session/renewing-fetch'

const REST = 'http://127.0.0.1:1/rest/v1/posts'

let current: string | null
let valid: string
const renew = vi.fn<() => Promise<string | null>>()
const sent: string[] = []

async function fakeSend(_input: unknown, init?: RequestInit): Promise<Response> {
  const bearer = new Headers(init?.headers).get('Authorization') ?? ''
  sent.push(`${bearer} ${init?.body ?? ''}`.trim())
  if (bearer === `Bearer ${valid}`) return Response.json([])
  return Response.json({ code: 'PGRST303', message: 'JWT expired' }, { status: 401 })
}

const ask = (token: string, body?: string) =>
  renewing(REST, {
    headers: { Authorization: `Bearer ${token}` },
    ...(body !== undefined && { method: 'POST', body }),
  })
let renewing: typeof fetch
/** Whether a session is stored that could not be refreshed. */
let isExpired: boolean

const isUnrenewed = async (token: string) => isExpired && token === 'visitor'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  current = 'old'
  valid = 'new'
  isExpired = false
  sent.length = 0
  renew.mockReset().mockImplementation(async () => {
    current = 'new'
    return current
  })
  renewing = renewingFetch(fakeSend, { current: async () => current, renew, isUnrenewed })
})

afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
})

test('AUTH-10 a request that was refused for its old token is repeated unchanged with a new one', async () => {
  expect((await ask('old', 'words')).status).toBe(200)
  expect(sent).toEqual(['Bearer old words', 'Bearer new words'])
})

test('a token that another request has renewed is used without another renewal', async () => {
  current = 'new'
  expect((await ask('old')).status).toBe(200)
  expect(renew).not.toHaveBeenCalled()
})

test('a new token that is refused too is renewed again only after a minute', async () => {
  valid = 'none'
  expect((await ask('old')).status).toBe(401)
  await expect(ask('new')).rejects.toThrow('just after it was given')
  expect(renew).toHaveBeenCalledTimes(1)

  vi.setSystemTime(Date.now() + 60_000)
  await ask('new')
  expect(renew).toHaveBeenCalledTimes(2)
})

test('a refused renewal returns the original response', async () => {
  renew.mockResolvedValue(null)
  expect((await ask('old')).status).toBe(401)
  expect(sent).toEqual(['Bearer old'])
})

test('a renewal that takes too long fails the request; the next request waits for the same renewal', async () => {
  let give: (token: string) => void = () => undefined
  renew.mockImplementation(() => new Promise((resolve) => (give = resolve)))
  const failed = expect(ask('old')).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(8_000)
  await failed
  const next = ask('old')
  await vi.advanceTimersByTimeAsync(0)
  give('new')
  expect((await next).status).toBe(200)
  expect(renew).toHaveBeenCalledTimes(1)
})

test.each([
  ['a visitor’s request', null, 401, 'PGRST303'],
  ['a wrong password', 'old', 401, 'invalid_credentials'],
  ['what is forbidden', 'old', 403, '42501'],
])('%s stays refused', async (_what, token, status, code) => {
  current = token
  const send = async () => Response.json({ code }, { status })
  const answered = await renewingFetch(send, { current: async () => current, renew, isUnrenewed })(REST, {
    headers: { Authorization: 'Bearer old' },
  })
  expect(await answered.json()).toEqual({ code })
  expect(renew).not.toHaveBeenCalled()
})

test('AUTH-10 no request is sent as a visitor’s while the session cannot be refreshed', async () => {
  current = null
  isExpired = true
  await expect(ask('visitor')).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
  isExpired = false
  await ask('visitor')
  expect(sent).toEqual(['Bearer visitor'])
})
