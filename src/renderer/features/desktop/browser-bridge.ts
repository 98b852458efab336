import {
  type BackendState,
  type BridgeEvent,
  type BridgeEvents,
  DEFAULT_PREFERENCES,
  type DesktopBridge,
  FILE_TOO_LARGE,
  type FileKind,
  type PickedFile,
  type Preferences,
  preferencesSchema,
} from '#/shared/bridge'
import { SOURCE_LIMITS } from '#/shared/limits'
import type { ServerAddress, ServerCheck, ServerInfo } from '#/shared/server'

const PREFERENCES_KEY = 'vignette.preferences'
const ACCEPT: Record<FileKind, string> = { photo: 'image/*', avatar: 'image/*', video: 'video/*' }

type Listeners = { [E in BridgeEvent]: Set<(value: BridgeEvents[E]) => void> }

function readPreferences(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '{}')
    return preferencesSchema.parse(Object.assign({}, DEFAULT_PREFERENCES, stored))
  } catch {
    return DEFAULT_PREFERENCES
  }
}

/** The browser host keeps its choice of server in a cookie and names that server in the page's policy. */
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

function pickWithInput(kind: FileKind): Promise<PickedFile | null> {
  return new Promise((resolve, reject) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = ACCEPT[kind]
    input.addEventListener('cancel', () => resolve(null))
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (file === undefined) return resolve(null)
      const limit = kind === 'video' ? SOURCE_LIMITS.videoBytes : SOURCE_LIMITS.imageBytes
      if (file.size > limit)
        return reject(Object.assign(new Error('file too large'), { code: FILE_TOO_LARGE }))
      file.arrayBuffer().then((buffer) => resolve({ name: file.name, bytes: new Uint8Array(buffer) }), reject)
    })
    input.click()
  })
}

/** The desktop as far as a plain browser has one: file inputs, localStorage, and the page's own server. */
export function createBrowserBridge(): DesktopBridge {
  const listeners: Listeners = {
    navigate: new Set(),
    'preferences.changed': new Set(),
    'backend.changed': new Set(),
  }
  const listenTo =
    <E extends BridgeEvent>(event: E) =>
    (listener: (value: BridgeEvents[E]) => void): (() => void) => {
      const set: Set<(value: BridgeEvents[E]) => void> = listeners[event]
      set.add(listener)
      return () => set.delete(listener)
    }
  const ready: BackendState = { state: 'ready' }

  return {
    host: 'browser',
    platform: 'web',
    server: {
      current: async () => {
        const response = await fetch('/config.json', { cache: 'no-store' })
        if (!response.ok) throw new Error(`/config.json: ${response.status}`)
        const info: ServerInfo = await response.json()
        return info
      },
      check: async (address) => {
        const response = await configure('POST', '/config.json?check', address)
        const result: ServerCheck = await response.json()
        return result
      },
      connect: async (address) => {
        const response = await configure('POST', '/config.json', address)
        const result: ServerCheck = await response.json()
        if (result.ok) window.location.assign('/login')
        return result
      },
      useEmbedded: async () => {
        await configure('DELETE', '/config.json')
        window.location.assign('/login')
      },
    },
    session: {
      getItem: async (key) => localStorage.getItem(key),
      setItem: async (key, value) => {
        localStorage.setItem(key, value)
        return undefined
      },
      removeItem: async (key) => {
        localStorage.removeItem(key)
        return undefined
      },
      persistence: async () => 'browser',
      keepAnyway: async () => undefined,
    },
    files: { pick: pickWithInput },
    preferences: {
      get: async () => readPreferences(),
      set: async (patch) => {
        const next = preferencesSchema.parse({ ...readPreferences(), ...patch })
        localStorage.setItem(PREFERENCES_KEY, JSON.stringify(next))
        for (const listener of listeners['preferences.changed']) listener(next)
        return next
      },
      onChange: listenTo('preferences.changed'),
    },
    shell: {
      openExternal: async (url) => {
        window.open(url, '_blank', 'noopener,noreferrer')
      },
      showMailFile: async () => undefined,
    },
    backend: { state: async () => ready, onChange: listenTo('backend.changed') },
    log: {
      write: async (level, line) => {
        console[level](line)
      },
    },
    onNavigate: listenTo('navigate'),
  }
}
