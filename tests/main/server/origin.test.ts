import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPageOrigin } from '#/main/server/origin'

const packaged = createPageOrigin(undefined)
const dev = createPageOrigin('http://localhost:5173')

describe('the packaged app', () => {
  test('accepts its own pages at any path', () => {
    expect(packaged.home).toBe('app://bundle/')
    expect(packaged.isDevServer).toBe(false)
    for (const path of ['', '/', '/profile/ana.b', '/?post=1', '/#x']) {
      expect(packaged.isPage(`app://bundle${path}`)).toBe(true)
    }
    expect(packaged.isOrigin('app://bundle')).toBe(true)
    expect(packaged.isOrigin('app://bundle/')).toBe(true)
  })

  test.each([
    'https://bundle/',
    'app://bundle.example.com/',
    'app://other/',
    'app://bundle@example.com/',
    'app://member@bundle/',
    'app://bundle:8080/',
    'apps://bundle/',
    'file:///app://bundle/',
    'about:blank',
    'data:text/html,app://bundle/',
    'null',
    '',
  ])('rejects %j', (url) => {
    expect(packaged.isPage(url)).toBe(false)
    expect(packaged.isOrigin(url)).toBe(false)
  })

  test('rejects every other page', () => {
    const scheme = fc.constantFrom('https', 'http', 'ws', 'file', 'app', 'apps', 'blob')
    const host = fc.stringMatching(/^[a-z0-9.@:-]{0,20}$/)
    fc.assert(
      fc.property(scheme, host, fc.stringMatching(/^[/?#]?[a-z]{0,8}$/), (protocol, name, rest) => {
        fc.pre(protocol !== 'app' || name !== 'bundle')
        // A generated host and path may combine to ours: bund + le.
        fc.pre(`${name}${rest}` !== 'bundle')
        expect(packaged.isPage(`${protocol}://${name}${rest}`)).toBe(false)
        expect(packaged.isOrigin(`${protocol}://${name}`)).toBe(false)
      }),
    )
  })

  test('rejects any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text.replace(/\/$/, '') !== 'app://bundle')
        expect(packaged.isOrigin(text)).toBe(false)
      }),
    )
  })
})

describe('in development', () => {
  test('uses the development server, not app://bundle', () => {
    expect(dev).toMatchObject({
      home: 'http://localhost:5173',
      name: 'http://localhost:5173',
      isDevServer: true,
    })
    expect(dev.isPage('http://localhost:5173/create')).toBe(true)
    expect(dev.isPage('http://localhost:5174/create')).toBe(false)
    expect(dev.isPage('app://bundle/')).toBe(false)
  })

  test('throws for a development server without a valid URL', () => {
    expect(() => createPageOrigin('no url')).toThrow('development server')
  })
})
