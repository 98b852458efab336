import { beforeEach, expect, test, vi } from 'vitest'
import { linkTo, routeOf } from '#/renderer/features/sharing/link'

const ID = '7f2a1c00-5d0e-4a00-9000-000000000001'

const desktop = { host: 'browser' }

beforeEach(() => vi.stubGlobal('window', { desktop, location: { origin: 'https://example.com' } }))

test.each([
  [routeOf({ kind: 'post', id: ID }), `https://example.com/?post=${ID}`, `vignette://post/${ID}`],
  [routeOf({ kind: 'story', id: ID }), `https://example.com/?story=${ID}`, `vignette://story/${ID}`],
  [
    routeOf({ kind: 'profile', id: ID, username: 'noor' }),
    'https://example.com/profile/noor',
    'vignette://profile/noor',
  ],
  [
    { page: 'post', id: ID, commentId: ID },
    `https://example.com/?post=${ID}&comment=${ID}`,
    `vignette://post/${ID}?comment=${ID}`,
  ],
] as const)(
  'FEED-17 the link of %o is a web address, or a deep link in the desktop app',
  (route, web, deep) => {
    desktop.host = 'browser'
    expect(linkTo(route)).toBe(web)
    desktop.host = 'electron'
    expect(linkTo(route)).toBe(deep)
  },
)
