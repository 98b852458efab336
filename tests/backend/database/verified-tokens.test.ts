import { SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { jwtVerify } from '#/backend/database/verified-tokens'

const SECRET = new TextEncoder().encode('a secret that is long enough for HS256')
const HS256 = { algorithms: ['HS256'] }

const sign = (claims: Record<string, unknown> = {}, secret = SECRET) =>
  new SignJWT({ sub: 'ada', about: { role: 'member' }, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1 minute')
    .sign(secret)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('verifies the signature of a token once', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify')
  const token = await sign()
  const first = await jwtVerify(token, SECRET, HS256)
  const second = await jwtVerify(token, new Uint8Array(SECRET), HS256)
  expect(second).toEqual(first)
  expect(verify).toHaveBeenCalledTimes(1)
})

test('returns a payload that the caller may change', async () => {
  const token = await sign()
  for (let call = 0; call < 3; call += 1) {
    const { payload } = await jwtVerify(token, SECRET, HS256)
    expect(payload).toMatchObject({ sub: 'ada', about: { role: 'member' } })
    Object.assign(payload, { sub: 'grace' })
    Object.assign(payload.about as object, { role: 'admin' })
  }
})

test('refuses a known token once it has expired, or before it becomes valid', async () => {
  const token = await sign()
  await jwtVerify(token, SECRET, HS256)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  await expect(jwtVerify(token, SECRET, HS256)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' })
  vi.useRealTimers()
  const later = await sign({ nbf: Math.floor(Date.now() / 1000) })
  await jwtVerify(later, SECRET, HS256)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10_000 })
  await expect(jwtVerify(later, SECRET, HS256)).rejects.toMatchObject({
    code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
  })
})

test('refuses a known token with another secret, other algorithms or further requirements', async () => {
  const token = await sign()
  await jwtVerify(token, SECRET, HS256)
  const other = new TextEncoder().encode('another secret, long enough for HS256 too')
  await expect(jwtVerify(token, other, HS256)).rejects.toThrow('signature verification failed')
  await expect(jwtVerify(token, SECRET, { algorithms: ['HS512'] })).rejects.toThrow('not allowed')
  await expect(jwtVerify(token, SECRET, { ...HS256, issuer: 'vignette' })).rejects.toThrow('"iss"')
})

test('refuses a changed token, also after the original', async () => {
  const token = await sign()
  await jwtVerify(token, SECRET, HS256)
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ sub: 'grace', exp: Date.now() })).toString('base64url')
  await expect(jwtVerify(`${header}.${payload}.${signature}`, SECRET, HS256)).rejects.toThrow(
    'signature verification failed',
  )
})
