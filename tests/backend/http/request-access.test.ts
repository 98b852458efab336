import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AccessRules, checkAccess } from '#/backend/http/request-access'

const rules: AccessRules = {
  allowedOrigins: ['app://bundle'],
  allowsLoopbackOrigins: false,
}

describe('the Host header', () => {
  test.each(['127.0.0.1:4173', 'localhost:4173', '[::1]:4173', '127.0.0.1', 'LOCALHOST:1'])(
    '%s is accepted',
    (host) => {
      expect(checkAccess(host, undefined, rules).allowed).toBe(true)
    },
  )

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:4173',
    '127.0.0.1.evil.example',
    'localhost.evil.example:4173',
    '192.168.0.2:4173',
    '0.0.0.0:4173',
    '[::]:4173',
    '[2001:db8::7]:4173',
    'photos.lan',
    '127.0.0.1:4173@evil.example',
    'a b',
  ])('%s is not', (host) => {
    expect(checkAccess(host, undefined, rules).allowed).toBe(false)
  })
})

test('a long host or origin is refused before it is parsed', () => {
  const parsed = vi.spyOn(URL, 'canParse')
  onTestFinished(() => parsed.mockRestore())
  const long = `xn--${'a'.repeat(60_000)}`
  expect(checkAccess(long, undefined, rules).allowed).toBe(false)
  expect(parsed).not.toHaveBeenCalled()
  expect(checkAccess('127.0.0.1:4173', `http://${long}`, rules).allowed).toBe(false)
  expect(parsed).toHaveBeenCalledOnce()
})

describe('the Origin header', () => {
  const host = '127.0.0.1:4173'

  test('needs no CORS if it is missing or the same', () => {
    const own = { allowed: true, crossOrigin: null }
    expect(checkAccess(host, undefined, rules)).toEqual(own)
    expect(checkAccess(host, 'http://127.0.0.1:4173', rules)).toEqual(own)
  })

  test('is returned if it is allowed', () => {
    expect(checkAccess(host, 'app://bundle', rules)).toEqual({ allowed: true, crossOrigin: 'app://bundle' })
  })

  test.each([
    'null',
    'https://evil.example',
    'http://localhost:4173',
    'http://127.0.0.1:9999',
    'https://127.0.0.1:4173',
    'app://bundle.evil.example',
    'app://other',
    '',
  ])('%s is foreign', (origin) => {
    expect(checkAccess(host, origin, rules).allowed).toBe(false)
  })

  test('may be any page of this machine if several apps share a backend', () => {
    const shared = { ...rules, allowsLoopbackOrigins: true }
    const origin = 'http://localhost:4173'
    expect(checkAccess('127.0.0.1:54321', origin, shared)).toEqual({ allowed: true, crossOrigin: origin })
    for (const foreign of [
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'file://',
      // Only pages over plain HTTP can be an app in development.
      'https://localhost:4173',
      'https://127.0.0.1:4173',
      'app://localhost',
      'chrome-extension://localhost',
      'ws://[::1]:4173',
    ]) {
      expect(checkAccess('127.0.0.1:54321', foreign, shared), foreign).toMatchObject({ allowed: false })
    }
  })
})
