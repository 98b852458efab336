import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { USERNAME_PATTERN } from '#/shared/limits'
import {
  type AppRoute,
  isLink,
  parseLink,
  parseRoute,
  routeInView,
  routeLink,
  routePath,
  screenOf,
} from '#/shared/routes'

const ID = '0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'

const id = fc.uuid()
const username = fc.stringMatching(/^[a-z0-9._]{3,30}$/).filter((name) => USERNAME_PATTERN.test(name))
const route: fc.Arbitrary<AppRoute> = fc.oneof(
  fc.constantFrom('home', 'create', 'settings', 'messages').map((page): AppRoute => ({ page })),
  fc
    .tuple(fc.constantFrom('conversation', 'post', 'story'), id)
    .map(([page, of]): AppRoute => ({ page, id: of })),
  username.map((name): AppRoute => ({ page: 'profile', username: name })),
)

test('DESK-05 every route can be parsed from its path and from its link', () => {
  fc.assert(
    fc.property(route, (each) => {
      expect(parseRoute(routePath(each))).toEqual(each)
      expect(parseLink(routeLink(each))).toEqual(each)
      expect(routeInView(`app://bundle${routePath(each)}`)).toEqual(each)
    }),
  )
})

test('a parsed path is a route with exactly one path', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath()), (text) => {
      for (const read of [parseRoute(text), parseLink(text), parseLink(`vignette://${text}`)]) {
        if (read !== null) expect(parseRoute(routePath(read))).toEqual(read)
      }
    }),
  )
})

describe('DESK-05 links', () => {
  test.each<[string, AppRoute]>([
    ['vignette://profile/mara.lens', { page: 'profile', username: 'mara.lens' }],
    ['VIGNETTE://Profile/Mara.Lens', { page: 'profile', username: 'mara.lens' }],
    [`vignette://messages/${ID}`, { page: 'conversation', id: ID }],
    [`vignette://messages/${ID.toUpperCase()}/`, { page: 'conversation', id: ID }],
    [`vignette://post/${ID}`, { page: 'post', id: ID }],
    [`vignette://story/${ID}`, { page: 'story', id: ID }],
    ['vignette://messages', { page: 'messages' }],
    ['vignette://create/', { page: 'create' }],
  ])('%s is parsed', (link, expected) => {
    expect(parseLink(link)).toEqual(expected)
  })

  test.each([
    'vignette:',
    'vignette://',
    'vignette://profile',
    'vignette://profile/',
    'vignette://profile/../../etc/passwd',
    'vignette://profile/%2e%2e%2fsettings',
    'vignette://profile/a b',
    'vignette://profile/mara?next=https://evil.example',
    'vignette://profile/mara#<script>',
    'vignette://profile/javascript:alert(1)',
    'vignette://messages/not-an-id',
    `vignette://messages/${ID}/more`,
    `vignette://post/${ID}&x=1`,
    'vignette://settings/delete-account',
    'vignette://login',
    'vignette://__proto__',
    'vignette://constructor/x',
    'vignette://user:password@profile/mara',
    'vignette://profile:80/mara',
    'https://profile/mara',
    'app://bundle/profile/mara',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `vignette://profile/${'a'.repeat(100_000)}`,
    'vignette://profile/mara\n',
    'vignette://profile/mara\0',
  ])('%j is rejected', (link) => {
    expect(parseLink(link)).toBeNull()
  })

  test('are recognized by their scheme, in any case', () => {
    expect(isLink('Vignette://home')).toBe(true)
    expect(isLink('vignette-photo.jpg')).toBe(false)
  })
})

describe('paths', () => {
  test.each([
    '',
    'messages',
    '//evil.example',
    '/messages?c=',
    `/messages?c=${ID}&c=${ID}`,
    `/messages?x=${ID}`,
    '/profile/',
    '/profile/a',
    '/profile/mara/posts',
    '/profile/..%2fsettings',
    '/?post=1',
    `/?post=${ID}#x`,
    '/edit-profile',
    'https://example.com/',
    'javascript:alert(1)',
    '/toString',
  ])('%j is rejected as a path', (path) => {
    expect(parseRoute(path)).toBeNull()
  })

  test('a post or story over a page takes precedence over the page', () => {
    expect(routeInView(`app://bundle/profile/mara?post=${ID}`)).toEqual({ page: 'post', id: ID })
    expect(routeInView(`app://bundle/?post=${ID}&story=${ID}`)).toEqual({ page: 'story', id: ID })
    expect(routeInView(`http://127.0.0.1:1/messages?c=${ID}&x=1`)).toEqual({ page: 'conversation', id: ID })
    expect(routeInView('app://bundle/?post=1')).toBeNull()
    expect(routeInView('app://bundle/edit-profile')).toBeNull()
    expect(routeInView('')).toBeNull()
  })
})

describe('FEED-15 a link to a comment', () => {
  const post = '0193a6f2-5a51-7b7c-8d5f-00000000000a'
  const commentId = '0193a6f2-5a51-7b7c-8d5f-00000000000c'
  const route = { page: 'post', id: post, commentId } as const

  test('has the same route as a path and as a deep link', () => {
    expect(routePath(route)).toBe(`/?post=${post}&comment=${commentId}`)
    expect(routeLink(route)).toBe(`vignette://post/${post}?comment=${commentId}`)
    expect(parseRoute(routePath(route))).toEqual(route)
    expect(parseLink(routeLink(route))).toEqual(route)
    expect(screenOf(route)).toEqual({ page: 'post', id: post })
  })

  test.each([
    `vignette://post/${post}?comment=x`,
    `vignette://profile/ada?comment=${commentId}`,
    `vignette://home?comment=${commentId}`,
    `vignette://post/${post}?comment=${commentId}&x=1`,
  ])('is refused as %s', (link) => {
    expect(parseLink(link)).toBeNull()
  })
})
