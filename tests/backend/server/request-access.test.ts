import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { type AccessRules, checkAccess } from '#/backend/http/request-access'

const rules: AccessRules = {
  allowedOrigins: ['app://bundle'],
  allowsLoopbackOrigins: false,
  listenHost: '127.0.0.1',
}

describe('the Host header', () => {
  test.each(['127.0.0.1:4173', 'localhost:4173', '[::1]:4173', '127.0.0.1', 'LOCALHOST:1'])(
    '%s is ours',
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
    '127.0.0.1:4173@evil.example',
    'a b',
  ])('%s is not', (host) => {
    expect(checkAccess(host, undefined, rules).allowed).toBe(false)
  })

  test('a host to listen on is answered under its name, every interface under each address', () => {
    expect(checkAccess('photos.lan:80', undefined, { ...rules, listenHost: 'Photos.lan' }).allowed).toBe(true)
    const everywhere = { ...rules, listenHost: '0.0.0.0' }
    expect(checkAccess('evil.example', undefined, everywhere).allowed).toBe(false)
    const own = Object.values(networkInterfaces())
      .flat()
      .filter((entry) => entry?.family === 'IPv4')
    for (const entry of own)
      expect(checkAccess(`${entry?.address}:1`, undefined, everywhere).allowed).toBe(true)
  })
})

describe('the Origin header', () => {
  const host = '127.0.0.1:4173'

  test('none and the own one need no CORS', () => {
    const own = { allowed: true, crossOrigin: null }
    expect(checkAccess(host, undefined, rules)).toEqual(own)
    expect(checkAccess(host, 'http://127.0.0.1:4173', rules)).toEqual(own)
  })

  test('an allowed one is named', () => {
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

  test('pages of this machine may call where several apps share one backend', () => {
    const shared = { ...rules, allowsLoopbackOrigins: true }
    const origin = 'http://localhost:4173'
    expect(checkAccess('127.0.0.1:54321', origin, shared)).toEqual({ allowed: true, crossOrigin: origin })
    for (const foreign of ['null', 'https://evil.example', 'http://localhost.evil.example', 'file://']) {
      expect(checkAccess('127.0.0.1:54321', foreign, shared).allowed).toBe(false)
    }
  })
})
