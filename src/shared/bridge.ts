// The mini build: the renderer loads this module at its start.
import * as z from 'zod/mini'
import type { BridgeErrorCode } from './bridge-error'
import { type ServerCheck, type ServerInfo, serverAddressSchema } from './server'

export type FileKind = 'photo' | 'video' | 'avatar'

/** A file a member chose: its name (for messages only, never trusted for its type) and its bytes. */
export interface PickedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Why `files.pick` rejects when the file is larger than SOURCE_LIMITS allow; nothing of it was read. Ask
 * `bridgeErrorCode(error) === FILE_TOO_LARGE`.
 */
export const FILE_TOO_LARGE = 'file-too-large' satisfies BridgeErrorCode

export type ThemePreference = 'system' | 'light' | 'dark'

export interface Preferences {
  theme: ThemePreference
}

export const preferencesSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
})

export const DEFAULT_PREFERENCES: Preferences = { theme: 'system' }

/**
 * How sessions are kept: `secure` in the system's keychain, `memory` until the app closes because the system offers
 * no keychain, `plain` on disk without one because the member chose so, `browser` in the browser host's storage.
 */
export type SessionPersistence = 'secure' | 'memory' | 'plain' | 'browser'

/** State of the embedded backend, when it is the one in use. */
export type BackendState =
  | { state: 'starting' }
  | { state: 'ready' }
  | { state: 'restored'; from: string }
  | { state: 'restarting'; attempt: number }
  | { state: 'failed'; message: string }

const storageKey = z.string().check(z.minLength(1), z.maxLength(200))

/**
 * Calls from the renderer to the main process: channel → schema of its arguments (a tuple).
 * What each answers is in `BridgeAnswers`; the two have the same keys.
 */
export const bridgeCalls = {
  'server.current': z.tuple([]),
  'server.check': z.tuple([serverAddressSchema]),
  'server.connect': z.tuple([serverAddressSchema]),
  'server.useEmbedded': z.tuple([]),
  'session.getItem': z.tuple([storageKey]),
  'session.setItem': z.tuple([storageKey, z.string().check(z.maxLength(100_000))]),
  'session.removeItem': z.tuple([storageKey]),
  'session.persistence': z.tuple([]),
  'session.keepAnyway': z.tuple([]),
  'files.pick': z.tuple([z.enum(['photo', 'video', 'avatar'])]),
  'preferences.get': z.tuple([]),
  'preferences.set': z.tuple([z.partial(preferencesSchema)]),
  'shell.openExternal': z.tuple([z.string().check(z.maxLength(2_000))]),
  'shell.showMailFile': z.tuple([]),
  'backend.state': z.tuple([]),
  'log.write': z.tuple([z.enum(['info', 'warn', 'error']), z.string().check(z.maxLength(10_000))]),
} as const satisfies Record<string, z.ZodMiniType<unknown[]>>

export type BridgeChannel = keyof typeof bridgeCalls

export interface BridgeAnswers extends Record<BridgeChannel, unknown> {
  'server.current': ServerInfo
  /** Tries the address: is it one, does it answer, is it a Supabase with this key and with our tables? */
  'server.check': ServerCheck
  /** Checks, saves and reloads the page on the new server. */
  'server.connect': ServerCheck
  'server.useEmbedded': undefined
  'session.getItem': string | null
  'session.setItem': undefined
  'session.removeItem': undefined
  'session.persistence': SessionPersistence
  /** The member's choice where there is no keychain: keep the session on disk all the same. */
  'session.keepAnyway': undefined
  'files.pick': PickedFile | null
  'preferences.get': Preferences
  'preferences.set': Preferences
  'shell.openExternal': undefined
  'shell.showMailFile': undefined
  'backend.state': BackendState
  'log.write': undefined
}

export type BridgeArguments<C extends BridgeChannel> = z.infer<(typeof bridgeCalls)[C]>

/** Events from the main process to the renderer. */
export interface BridgeEvents {
  /** Go to a route of the app, e.g. `/messages?c=…`. */
  navigate: string
  'preferences.changed': Preferences
  'backend.changed': BackendState
}

export type BridgeEvent = keyof BridgeEvents

export const BRIDGE_EVENTS = [
  'navigate',
  'preferences.changed',
  'backend.changed',
] as const satisfies readonly BridgeEvent[]

/** How an answer travels: errors as data, since Electron flattens thrown ones to a string. */
export type BridgeReply<T> =
  | { ok: true; value: T }
  | { ok: false; error: { code: BridgeErrorCode; message: string } }

type Call<C extends BridgeChannel> = (...args: BridgeArguments<C>) => Promise<BridgeAnswers[C]>
/** Subscribes; gives its unsubscribe. */
type Listen<E extends BridgeEvent> = (listener: (value: BridgeEvents[E]) => void) => () => void

/**
 * What the renderer has of the desktop, as `window.desktop`: one named function a channel. The preload, the browser
 * host's stand-in and every fake carry this one type.
 */
export interface DesktopBridge {
  /** Which host runs the app. */
  readonly host: 'electron' | 'browser'
  readonly platform: 'darwin' | 'win32' | 'linux' | 'web'
  readonly server: {
    current: Call<'server.current'>
    check: Call<'server.check'>
    connect: Call<'server.connect'>
    useEmbedded: Call<'server.useEmbedded'>
  }
  readonly session: {
    getItem: Call<'session.getItem'>
    setItem: Call<'session.setItem'>
    removeItem: Call<'session.removeItem'>
    persistence: Call<'session.persistence'>
    keepAnyway: Call<'session.keepAnyway'>
  }
  readonly files: { pick: Call<'files.pick'> }
  readonly preferences: {
    get: Call<'preferences.get'>
    set: Call<'preferences.set'>
    onChange: Listen<'preferences.changed'>
  }
  readonly shell: {
    openExternal: Call<'shell.openExternal'>
    showMailFile: Call<'shell.showMailFile'>
  }
  readonly backend: { state: Call<'backend.state'>; onChange: Listen<'backend.changed'> }
  readonly log: { write: Call<'log.write'> }
  readonly onNavigate: Listen<'navigate'>
}
