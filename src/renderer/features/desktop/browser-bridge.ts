import { readItem, storeItem } from '#/renderer/lib/local/local-storage'
import { isObject } from '#/renderer/lib/server/checks/checked-values'
import type {
  BackendState,
  BridgeEvent,
  BridgeEvents,
  DesktopBridge,
  PickedFile,
  UpdateState,
  WindowState,
} from '#/shared/bridge'
import { FILE_TOO_LARGE } from '#/shared/bridge-error'
import { SOURCE_LIMITS } from '#/shared/limits'
import { NOTICE_CONTENTS } from '#/shared/notice-contents'
import { shouldShowNotice } from '#/shared/notice-filter'
import { contentToShow, redactNotice } from '#/shared/notice-privacy'
import { PHOTO_EXTENSIONS } from '#/shared/photo-files'
import {
  applyPreferencesPatch,
  DEFAULT_PREFERENCES,
  NOTIFICATION_TOPICS,
  type Preferences,
} from '#/shared/preferences'
import { routeInView } from '#/shared/routes'
import type { ServerAddress, ServerCheck, ServerInfo } from '#/shared/server'
import { askForFiles } from './ask-for-files'
import { askForNotifications, canNotify, createBrowserNotifications } from './browser-notifications'
import { createTitleBadge } from './title-badge'

const PREFERENCES_KEY = 'vignette.preferences'
/** Browsers do not count RAW files among 'image/*'. */
const PHOTOS = ['image/*', ...PHOTO_EXTENSIONS.map((extension) => `.${extension}`)].join(',')

type Listeners = { [E in BridgeEvent]: Set<(value: BridgeEvents[E]) => void> }

/** Checks what a browser uses of stored preferences. By hand: the schema would add zod, 7 KB, to the first load. */
function isUsable({
  theme,
  lightTable,
  playVideos,
  notifications,
  notificationContent,
  notificationsPausedUntil,
}: Preferences): boolean {
  return (
    ['system', 'light', 'dark'].includes(theme) &&
    ['black', 'grey'].includes(lightTable) &&
    [null, 'always', 'saveData', 'click'].includes(playVideos) &&
    NOTICE_CONTENTS.includes(notificationContent) &&
    NOTIFICATION_TOPICS.every((topic) => typeof notifications[topic] === 'boolean') &&
    (notificationsPausedUntil === null || typeof notificationsPausedUntil === 'number')
  )
}

function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(readItem(PREFERENCES_KEY) ?? '{}')
    const preferences: Preferences = Object.assign({}, DEFAULT_PREFERENCES, stored)
    return isUsable(preferences) ? preferences : DEFAULT_PREFERENCES
  } catch {
    return DEFAULT_PREFERENCES
  }
}

const isText = (value: unknown) => typeof value === 'string'

/** By hand, like `isUsable`. */
function isServerInfo(info: unknown): info is ServerInfo {
  if (!isObject(info)) return false
  const { kind, url, publishableKey, storageKey, demo, mailFile } = info
  return (
    ['embedded', 'chosen', 'fixed'].includes(String(kind)) &&
    [url, publishableKey, storageKey, mailFile ?? ''].every(isText) &&
    URL.canParse(String(url)) &&
    Array.isArray(demo) &&
    demo.every(
      (member) =>
        isObject(member) && [member.username, member.fullName, member.email, member.password].every(isText),
    )
  )
}

/** Storage key of the address of the server that was chosen in a page of this origin. */
const CHOSEN_KEY = 'vignette.chosen-server'

/**
 * Whether this server was chosen here. The choice is in a cookie, which pages of all ports of the machine can set, and the host signs one
 * for every program of the machine.
 */
function isTrusted({ kind, url }: ServerInfo): boolean {
  return kind !== 'chosen' || readItem(CHOSEN_KEY) === url
}

async function requestConfig(): Promise<ServerInfo> {
  const response = await fetch('/config.json', { cache: 'no-store' })
  if (!response.ok) throw new Error(`/config.json: ${response.status}`)
  const info: unknown = await response.json()
  if (!isServerInfo(info)) throw new Error('/config.json: not a server')
  return info
}

/** The app asks twice at its start: for the server's name, and for the server. */
function createConfigReader(): () => Promise<ServerInfo> {
  let reading: Promise<ServerInfo> | undefined
  const read = async () => {
    const info = await requestConfig()
    if (isTrusted(info)) return info
    await configure('DELETE', '/config.json')
    const own = await requestConfig()
    if (!isTrusted(own)) throw new Error('/config.json: a server that was not chosen here')
    return own
  }
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** The browser host stores the chosen server in a cookie and adds it to the page's content security policy. */
async function configure(
  method: 'POST' | 'DELETE',
  path: string,
  address?: ServerAddress,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    ...(address && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(address) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  return response
}

/**
 * Removes the fragment of a Supabase Auth link from the page's address: tokens must not stay in the history, and the
 * router would drop them. Returns the fragment, or null.
 */
function cutAuthFragment(): string | null {
  const { hash, pathname, search } = window.location
  if (!/[#&](access_token|error_code)=/.test(hash)) return null
  window.history.replaceState(window.history.state, '', pathname + search)
  return hash.slice(1)
}

async function readFile(file: File): Promise<PickedFile> {
  if (file.size > SOURCE_LIMITS.imageBytes) throw new Error(`${FILE_TOO_LARGE}: ${file.name}`)
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** The file dialogs of a browser. */
function createFilePicker(): Pick<DesktopBridge['files'], 'pick' | 'pickPhotos' | 'readPicked'> {
  let photos: readonly File[] = []
  return {
    pick: async () => {
      const [file] = await askForFiles(PHOTOS, false)
      return file === undefined ? null : readFile(file)
    },
    pickPhotos: async () => {
      const chosen = await askForFiles(PHOTOS, true)
      if (chosen.length > 0) photos = chosen
      return chosen.map(({ name }) => name)
    },
    readPicked: async (position) => {
      const file = photos[position]
      if (file === undefined) throw new Error('no such file')
      return readFile(file)
    },
  }
}

function pageState(): WindowState {
  return { isVisible: !document.hidden, isFocused: document.hasFocus() }
}

/** The bridge in a plain browser: file inputs, localStorage, and the page's own server. */
export function createBrowserBridge(): DesktopBridge {
  const listeners: Listeners = {
    navigate: new Set(),
    'preferences.changed': new Set(),
    'backend.changed': new Set(),
    'window.changed': new Set(),
    'updates.changed': new Set(),
    'notifications.answered': new Set(),
    'authLinks.opened': new Set(),
    'serverLinks.opened': new Set(),
    'find.asked': new Set(),
    'files.opened': new Set(),
    'files.pictureAsked': new Set(),
    'power.resumed': new Set(),
    'quit.asked': new Set(),
  }
  const listenTo =
    <E extends BridgeEvent>(event: E) =>
    (listener: (value: BridgeEvents[E]) => void): (() => void) => {
      const set: Set<(value: BridgeEvents[E]) => void> = listeners[event]
      set.add(listener)
      return () => set.delete(listener)
    }
  const emit = <E extends BridgeEvent>(event: E, value: BridgeEvents[E]) => {
    const set: Set<(value: BridgeEvents[E]) => void> = listeners[event]
    for (const listener of set) listener(value)
  }
  const notifications = createBrowserNotifications()
  const showInTitle = createTitleBadge()
  let authFragment = cutAuthFragment()
  const readConfig = createConfigReader()
  const ready: BackendState = { state: 'ready' }
  const noUpdates: UpdateState = { state: 'off' }
  for (const event of ['focus', 'blur', 'visibilitychange']) {
    // visibilitychange fires on the document and bubbles to the window.
    window.addEventListener(event, () => emit('window.changed', pageState()))
  }

  return {
    host: 'browser',
    platform: 'web',
    server: {
      storageKey: async () => (await readConfig()).storageKey,
      current: readConfig,
      check: async (address) => {
        const response = await configure('POST', '/config.json?check', address)
        const result: ServerCheck = await response.json()
        return result
      },
      connect: async (address) => {
        const response = await configure('POST', '/config.json', address)
        const result: ServerCheck = await response.json()
        if (result.ok) {
          storeItem(CHOSEN_KEY, result.address.url, 'store chosen server')
          window.location.assign('/login')
        }
        return result
      },
      useEmbedded: async () => {
        await configure('DELETE', '/config.json')
        storeItem(CHOSEN_KEY, null)
        window.location.assign('/login')
      },
    },
    session: {
      getItem: async (key) => readItem(key),
      setItem: async (key, value) => {
        storeItem(key, value, 'store session')
      },
      removeItem: async (key) => {
        storeItem(key, null)
      },
      persistence: async () => 'browser',
      keepAnyway: async () => undefined,
    },
    files: {
      ...createFilePicker(),
      takeOpened: async () => null,
      takeOpenedVideo: async () => null,
      forgetOpened: async () => undefined,
      // Browsers save pictures themselves.
      savePicture: async () => undefined,
      onPictureAsked: listenTo('files.pictureAsked'),
      onOpened: listenTo('files.opened'),
    },
    preferences: {
      get: async () => readPreferences(),
      set: async (patch) => {
        const next = applyPreferencesPatch(readPreferences(), patch)
        storeItem(PREFERENCES_KEY, JSON.stringify(next))
        emit('preferences.changed', next)
        // Browsers allow the permission prompt only during a click, as here.
        if (Object.values(patch.notifications ?? {}).includes(true)) askForNotifications()
        return next
      },
      onChange: listenTo('preferences.changed'),
    },
    notifications: {
      show: async (notice) => {
        const preferences = readPreferences()
        const moment = {
          now: Date.now(),
          preferences,
          window: pageState(),
          inView: routeInView(window.location.href),
        }
        if (!shouldShowNotice(notice, moment)) return
        // A page cannot know whether the screen is locked.
        const shown = redactNotice(notice, contentToShow(preferences, false))
        notifications.show(shown, () => emit('navigate', notice.route))
      },
      dismiss: async (ids) => {
        notifications.close(ids)
      },
      shown: async () => notifications.shown(),
      // Browser notifications have neither actions nor replies here.
      takeAnswers: async () => [],
      onAnswered: listenTo('notifications.answered'),
    },
    badge: {
      set: async ({ unread }) => {
        showInTitle(unread)
      },
    },
    // Browsers have no such place.
    uploads: { show: async () => undefined },
    navigation: { listen: async () => null, onNavigate: listenTo('navigate') },
    // Only the desktop app opens links with its scheme.
    serverLinks: { take: async () => null, onOpened: listenTo('serverLinks.opened') },
    authLinks: {
      take: async () => {
        const fragment = authFragment
        authFragment = null
        return fragment
      },
      onOpened: listenTo('authLinks.opened'),
    },
    // Browsers have their own find bar.
    find: { search: async () => null, stop: async () => undefined, onAsked: listenTo('find.asked') },
    // Browsers do not ask before a page closes.
    quit: { onAsked: listenTo('quit.asked'), agree: async () => undefined, setBusy: async () => undefined },
    window: { state: async () => pageState(), onChange: listenTo('window.changed') },
    system: {
      abilities: async () => ({
        notifications: canNotify(),
        attention: false,
        lockScreen: false,
        crashDumps: false,
        startAtLogin: false,
        tray: false,
        files: false,
        // Those of recovery mails open this page.
        links: true,
        sandbox: true,
        acceleration: null,
        // Browsers have their own setting.
        spellCheck: null,
      }),
      restart: async () => undefined,
      onResume: listenTo('power.resumed'),
    },
    updates: {
      state: async () => noUpdates,
      check: async () => undefined,
      download: async () => undefined,
      install: async () => undefined,
      onChange: listenTo('updates.changed'),
    },
    help: {
      copyDiagnostics: async () => undefined,
      openLog: async () => undefined,
      showDataFolder: async () => undefined,
    },
    recovery: { take: async () => false },
    shell: {
      openExternal: async (url) => {
        window.open(url, '_blank', 'noopener,noreferrer')
      },
      showMailFile: async () => undefined,
    },
    backend: {
      state: async () => ready,
      retry: async () => undefined,
      restore: async () => undefined,
      onChange: listenTo('backend.changed'),
    },
    log: {
      write: async (level, line) => {
        console[level](line)
      },
    },
  }
}
