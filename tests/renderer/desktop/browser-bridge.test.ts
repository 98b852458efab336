import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBrowserBridge } from '#/renderer/features/desktop/browser-bridge'
import { DEFAULT_PREFERENCES } from '#/shared/preferences'

const KEY = 'vignette.preferences'
const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('window', { location: { hash: '' }, addEventListener: () => undefined })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('SET-06 in a browser a change of preferences is stored', async () => {
  const { preferences } = createBrowserBridge()
  await preferences.set({ theme: 'dark', notifications: { likes: false } })
  const changed = {
    ...DEFAULT_PREFERENCES,
    theme: 'dark',
    notifications: { ...DEFAULT_PREFERENCES.notifications, likes: false },
  }
  expect(await createBrowserBridge().preferences.get()).toEqual(changed)
})

test('preferences that an earlier version stored get the defaults of newer ones', async () => {
  stored.set(KEY, JSON.stringify({ theme: 'light' }))
  expect(await createBrowserBridge().preferences.get()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'light' })
})

test.each([
  ['no JSON', '{'],
  ['an unknown theme', '{"theme":"neon"}'],
  ['a missing topic', '{"notifications":{"likes":true}}'],
  ['no topics', '{"notifications":null}'],
  ['a pause without a time', '{"notificationsPausedUntil":"soon"}'],
])('preferences with %s are replaced by the defaults', async (_, text) => {
  stored.set(KEY, text)
  expect(await createBrowserBridge().preferences.get()).toEqual(DEFAULT_PREFERENCES)
})

const SERVER = {
  kind: 'chosen',
  url: 'https://a.example',
  publishableKey: 'k',
  storageKey: 'a.example',
  demo: [],
  mailFile: null,
}

test('the server of the page is read from its host', async () => {
  vi.stubGlobal('fetch', async () => Response.json(SERVER))
  expect(await createBrowserBridge().server.current()).toEqual(SERVER)
})

test.each<[string, unknown]>([
  ['a list', [SERVER]],
  ['another kind', { ...SERVER, kind: 'other' }],
  ['an address that is an object', { ...SERVER, url: {} }],
  ['an address that is none', { ...SERVER, url: 'a.example' }],
  ['a key that is a number', { ...SERVER, publishableKey: 7 }],
  ['a storage key that is missing', { ...SERVER, storageKey: undefined }],
  ['members that are an object', { ...SERVER, demo: {} }],
  ['members without a name', { ...SERVER, demo: [{ username: 'ada' }] }],
  ['a mail file that is a list', { ...SERVER, mailFile: [] }],
])('a server described by %s is refused', async (_, info) => {
  vi.stubGlobal('fetch', async () => Response.json(info))
  await expect(createBrowserBridge().server.current()).rejects.toThrow('not a server')
})
