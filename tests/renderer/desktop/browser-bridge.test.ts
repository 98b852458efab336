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
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('window', {
    location: { hash: '', assign: () => undefined },
    addEventListener: () => undefined,
  })
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
  ['an unknown content', '{"notificationContent":"all"}'],
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

const EMBEDDED = { ...SERVER, kind: 'embedded', url: 'http://localhost:4173', storageKey: 'embedded' }

/** Answers like the host. A chosen server stays in its cookie until the page deletes it. */
function stubHost(chosen: object | null, { isDeletable = true } = {}): void {
  let cookie = chosen
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'POST') {
      cookie = SERVER
      return Response.json({ ok: true, address: { url: SERVER.url, publishableKey: SERVER.publishableKey } })
    }
    if (method === 'DELETE' && isDeletable) cookie = null
    return Response.json(cookie ?? EMBEDDED)
  })
}

test('the server of the page is read from its host', async () => {
  stubHost({ ...SERVER, kind: 'fixed' })
  expect(await createBrowserBridge().server.current()).toEqual({ ...SERVER, kind: 'fixed' })
})

test('DESK-08 a server that was chosen in the page is used until the member returns to the embedded one', async () => {
  stubHost(null)
  const { server } = createBrowserBridge()
  await server.connect({ url: 'a.example', publishableKey: 'k' })
  expect(await createBrowserBridge().server.current()).toEqual(SERVER)
  await server.useEmbedded()
  expect(stored.size).toBe(0)
  expect(await createBrowserBridge().server.current()).toEqual(EMBEDDED)
})

test('DESK-08 a server that a cookie from another port has chosen is not used', async () => {
  stubHost(SERVER)
  expect(await createBrowserBridge().server.current()).toEqual(EMBEDDED)
  stubHost(SERVER, { isDeletable: false })
  await expect(createBrowserBridge().server.current()).rejects.toThrow('not chosen here')
  stored.set('vignette.chosen-server', 'https://b.example')
  stubHost(SERVER)
  expect(await createBrowserBridge().server.storageKey()).toBe('embedded')
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

test.each([
  ['text', 'mara', 'the text', 'icon'],
  ['name', 'mara', 'New message', 'icon'],
  ['nothing', 'New message', '', undefined],
] as const)(
  'DESK-17 a notification of a browser shows %s',
  async (notificationContent, title, body, icon) => {
    const shown: [string, NotificationOptions][] = []
    class BrowserNotification extends EventTarget {
      static permission = 'granted'
      constructor(...content: [string, NotificationOptions]) {
        super()
        shown.push(content)
      }
    }
    vi.stubGlobal('Notification', BrowserNotification)
    vi.stubGlobal('document', { hidden: true, hasFocus: () => false })
    Object.assign(window, { Notification: BrowserNotification })
    Object.assign(window.location, { href: 'http://127.0.0.1/messages' })
    stored.set(KEY, JSON.stringify({ ...DEFAULT_PREFERENCES, notificationContent }))
    const notice = {
      kind: 'message',
      id: 'n1',
      title: 'mara',
      body: 'the text',
      route: '/',
      icon: 'icon',
    } as const
    await createBrowserBridge().notifications.show(notice)
    expect(shown).toEqual([[title, { body, tag: 'n1', ...(icon !== undefined && { icon }) }]])
  },
)
