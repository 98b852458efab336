import { expect, test } from 'vitest'
import { toApp, toPage } from '#tests/standin/address'
import { decode, encode } from '#tests/standin/values'

test('addresses are translated both ways, and only those of the app', () => {
  for (const url of ['app://bundle/', 'app://bundle/messages?c=1#x', 'app://bundle', 'app://elsewhere/x']) {
    expect(toApp(toPage(url))).toBe(url)
  }
  expect(toPage('app://bundle/create')).toBe('https://bundle.localhost/create')
  for (const url of [
    'https://example.com/',
    'http://127.0.0.1:1/',
    'https://bundle.localhost.example.com/',
  ]) {
    expect([toPage(url), toApp(url)]).toEqual([url, url])
  }
})

test('values of ipc arrive as they left', () => {
  const value = {
    text: 'a',
    nothing: undefined,
    none: null,
    list: [1, undefined, true],
    bytes: new Uint8Array([0, 128, 255]),
    is: 'undefined',
  }
  expect(decode(JSON.parse(JSON.stringify(encode(value))))).toEqual(value)
  expect(() => encode(() => undefined)).toThrow('carries no function')
})
