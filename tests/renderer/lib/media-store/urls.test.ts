import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { expiryOf } from '#/renderer/lib/media-store/links'
import { signPaths } from '#/renderer/lib/media-store/requests'
import {
  prefetchMediaUrls,
  restoreLinks,
  storedLinksOptions,
  urlsOptions,
} from '#/renderer/lib/media-store/urls'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import type { ServerInfo } from '#/shared/server'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/media-store/requests', () => ({ signPaths: vi.fn() }))

const NOW = Date.parse('2026-11-22T12:00:00Z')
const HIDDEN = 'ben/hidden.webp'

/** A link whose token says that it expires at this time, in milliseconds. */
function linkTo(path: string, expiresAt: number): string {
  const claims = Buffer.from(JSON.stringify({ url: path, exp: expiresAt / 1_000 })).toString('base64url')
  return `https://server.example/storage/v1/object/sign/media/${path}?token=head.${claims}.signature`
}

/** The current time in whole minutes: waiting takes some of it. */
const minute = () => Math.floor(Date.now() / 60_000) * 60_000

let client = createQueryClient()

function urlsIn({ links }: { links: Readonly<Record<string, { url: string }>> }) {
  return Object.fromEntries(Object.entries(links).map(([path, { url }]) => [path, url]))
}

/** The links that a component with these objects gets. */
async function show(paths: readonly string[]) {
  const observer = new QueryObserver(client, urlsOptions(client, paths))
  const stop = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().isFetching).toBe(false))
  const { data, refetch } = observer.getCurrentResult()
  stop()
  return { urls: data && urlsIn(data), refetch }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  client = createQueryClient()
  vi.mocked(signPaths).mockReset()
  vi.mocked(signPaths).mockImplementation(
    async (paths) =>
      new Map(
        paths
          .filter((path) => path !== HIDDEN)
          .map((path) => [path, { url: linkTo(path, minute() + 3_600_000), isChecked: path !== 'a' }]),
      ),
  )
})

afterEach(() => vi.useRealTimers())

test('MEDIA-02 the links of a screen are signed in one request, and each object once', async () => {
  const [one, two] = await Promise.all([show(['a', 'b']), show(['b', 'c'])])
  expect(vi.mocked(signPaths).mock.calls).toEqual([[['a', 'b', 'c']]])
  expect(one.urls?.b).toBe(two.urls?.b)
  expect((await show(['a', 'c'])).urls).toEqual({ a: one.urls?.a, c: two.urls?.c })
  expect(signPaths).toHaveBeenCalledOnce()
})

test('MEDIA-04 a link is used until two minutes before it expires, then signed again', async () => {
  const first = await show(['a'])
  vi.setSystemTime(NOW + 57 * 60_000)
  expect((await show(['a'])).urls).toEqual(first.urls)
  vi.setSystemTime(NOW + 58 * 60_000)
  const second = await show(['a'])
  expect(second.urls?.a).toBe(linkTo('a', NOW + 118 * 60_000))
  expect(signPaths).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 an object that the member may not see has no link, and is asked for again', async () => {
  expect((await show(['a', HIDDEN])).urls).toEqual({ a: linkTo('a', NOW + 3_600_000) })
  await show(['a', HIDDEN])
  expect(vi.mocked(signPaths).mock.calls).toEqual([[['a', HIDDEN]], [[HIDDEN]]])
})

test('MEDIA-02 prefetched links are there when a screen shows them', async () => {
  prefetchMediaUrls(client, ['a', 'b'])
  await vi.waitFor(() => expect(urlsOptions(client, ['a', 'b']).initialData()).toBeDefined())
  expect((await show(['b', 'a'])).urls).toMatchObject({ a: expect.any(String), b: expect.any(String) })
  expect(signPaths).toHaveBeenCalledOnce()
})

const KEY = ['links', 'p1'] as const
const SERVER: ServerInfo = {
  kind: 'embedded',
  url: 'https://server.example',
  publishableKey: '',
  storageKey: 'embedded',
  demo: [],
  mailFile: null,
}

/** The stored links after a restart of the page. */
async function restart(paths: readonly string[]) {
  await client.fetchQuery(storedLinksOptions(client, KEY, paths))
  const stored = client.getQueryData(KEY)
  client = createQueryClient()
  client.setQueryData(KEY, stored)
  vi.mocked(signPaths).mockClear()
}

test('FEED-18 MEDIA-02 links on disk are used without a request, until two minutes before they expire', async () => {
  useServerInfo.setState({ server: SERVER })
  await restart(['a', 'b'])
  restoreLinks(client, KEY)
  // Whether the server has checked the object is stored with the link.
  expect(urlsOptions(client, ['a', 'b']).initialData()?.links).toMatchObject({
    a: { url: linkTo('a', NOW + 3_600_000), isChecked: false },
    b: { url: linkTo('b', NOW + 3_600_000), isChecked: true },
  })
  await client.fetchQuery(storedLinksOptions(client, KEY, ['a', 'b']))
  expect(signPaths).not.toHaveBeenCalled()

  vi.setSystemTime(NOW + 58 * 60_000)
  await restart(['a'])
  vi.setSystemTime(NOW + 117 * 60_000)
  restoreLinks(client, KEY)
  expect(urlsOptions(client, ['a']).initialData()).toBeUndefined()
  await client.fetchQuery(storedLinksOptions(client, KEY, ['a']))
  expect(signPaths).toHaveBeenCalledOnce()
})

test('FEED-18 links on disk are not used before the server is known, nor at another address', async () => {
  for (const server of [null, { ...SERVER, url: 'https://server.example:8443' }]) {
    useServerInfo.setState({ server })
    await restart(['a'])
    restoreLinks(client, KEY)
    expect(urlsOptions(client, ['a']).initialData()).toBeUndefined()
  }
})

test('FEED-18 a link that is not on disk is signed', async () => {
  useServerInfo.setState({ server: SERVER })
  await restart(['a', HIDDEN])
  await client.fetchQuery(storedLinksOptions(client, KEY, ['a', HIDDEN]))
  expect(vi.mocked(signPaths).mock.calls.flat(2)).toContain(HIDDEN)
})

test('MEDIA-04 links of one member are not used for the next', async () => {
  await show(['a'])
  client = createQueryClient()
  await show(['a'])
  expect(signPaths).toHaveBeenCalledTimes(2)
})

test('MEDIA-04 the expiry of a link is read from its token; without one it is used for twenty minutes', () => {
  expect(expiryOf(linkTo('a', NOW + 5_000), NOW)).toBe(NOW + 5_000)
  expect(expiryOf('https://server.example/a?token=opaque', NOW)).toBe(NOW + 1_200_000)
  expect(expiryOf('https://server.example/a', NOW)).toBe(NOW + 1_200_000)
})
