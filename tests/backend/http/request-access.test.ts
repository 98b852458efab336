import { syncBuiltinESMExports } from 'node:module'
import os, { type NetworkInterfaceInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AccessRules, checkAccess } from '#/backend/http/request-access'

const LAN_ADDRESSES = ['192.168.0.7', '2001:db8::7']

function entry(address: string): NetworkInterfaceInfo {
  return { address, family: 'IPv4', netmask: '', mac: '', internal: false, cidr: null }
}

// The result must not depend on the network interfaces of the machine, which may have only loopback.
beforeAll(() => {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    lo: ['127.0.0.1', '::1'].map(entry),
    eth0: LAN_ADDRESSES.map(entry),
    tun0: undefined,
  })
  syncBuiltinESMExports()
})

afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const rules: AccessRules = {
  allowedOrigins: ['app://bundle'],
  allowsLoopbackOrigins: false,
  listenHost: '127.0.0.1',
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
    '127.0.0.1:4173@evil.example',
    'a b',
  ])('%s is not', (host) => {
    expect(checkAccess(host, undefined, rules).allowed).toBe(false)
  })

  test('is accepted for the host name that the server listens on', () => {
    const named = { ...rules, listenHost: 'Photos.lan' }
    expect(checkAccess('photos.lan:80', undefined, named).allowed).toBe(true)
    expect(checkAccess('192.168.0.7:80', undefined, named).allowed).toBe(false)
  })

  test.each([
    ['127.0.0.1', false],
    ['0.0.0.0', true],
    ['::', true],
  ])('when it listens on %s, answers under the addresses of its network: %s', (listenHost, isAnswered) => {
    const access = (host: string) => checkAccess(host, undefined, { ...rules, listenHost }).allowed
    expect(access('192.168.0.7:4173')).toBe(isAnswered)
    expect(access('[2001:db8::7]:4173')).toBe(isAnswered)
    expect(access('[::1]:4173')).toBe(true)
    for (const foreign of ['192.168.0.8:4173', '[2001:db8::8]:4173', '0.0.0.0:4173', 'evil.example'])
      expect(access(foreign)).toBe(false)
  })
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
