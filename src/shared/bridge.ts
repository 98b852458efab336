// The mini build: the renderer loads this module at its start.
import * as z from 'zod/mini'
import type { BridgeErrorCode } from './bridge-error'
import { type Preferences, preferencesPatchSchema } from './preferences'
import { parseRoute } from './routes'
import { type ServerCheck, type ServerInfo, serverAddressSchema } from './server'

const fileKind = z.enum(['photo', 'video', 'avatar'])
export type FileKind = z.infer<typeof fileKind>

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

const noticeKind = z.enum(['message', 'like', 'comment', 'follow', 'request', 'accepted', 'story_view'])
/** What happened, as far as the system's notifications tell things apart. */
export type NoticeKind = z.infer<typeof noticeKind>

/** Something a member may want to know of; the host decides whether, when and how it is told. */
export interface Notice {
  kind: NoticeKind
  /** Of what happened (message, notification): it is told once. */
  id: string
  title: string
  body: string
  /** Where a click leads, as `routePath` writes it. */
  route: string
  /** A small picture of who did it: a PNG as a data URL. */
  icon?: string | undefined
}

/** What a member did in a notification of a message, without opening the app. */
export interface NotificationAnswer {
  conversationId: string
  /** What they wrote; null if they only marked the conversation as read. */
  reply: string | null
}

/** Whether the window can be seen at all, and whether it is in front. `document.hidden` does not tell in Electron. */
export interface WindowState {
  isVisible: boolean
  isFocused: boolean
}

/** Languages of the spell checker, as codes (`en-GB`). */
export interface SpellCheckLanguages {
  available: string[]
  current: string[]
}

/** What this host can do beside showing the app; settings offer nothing else. */
export interface DesktopAbilities {
  notifications: boolean
  /** Bouncing the Dock icon or flashing the taskbar entry. */
  attention: boolean
  startAtLogin: boolean
  /** Running on without a window, in a tray. */
  tray: boolean
  /** The log and the data folder can be shown. */
  files: boolean
  /** Null where the system chooses them. */
  spellCheck: SpellCheckLanguages | null
}

/** Where the app stands with newer versions of itself. `off`: this copy has no feed of updates, or does not use it. */
export type UpdateState =
  | { state: 'off' }
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'available'; version: string }
  | { state: 'downloading'; percent: number }
  | { state: 'ready'; version: string }
  | { state: 'failed' }

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
  /** `canRestore`: there is a snapshot that `backend.restore` goes back to. */
  | { state: 'failed'; message: string; canRestore: boolean }

const storageKey = z.string().check(z.minLength(1), z.maxLength(200))

const noticeSchema = z.strictObject({
  kind: noticeKind,
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  body: z.string().check(z.maxLength(500)),
  route: z.string().check(z.refine((route) => parseRoute(route) !== null)),
  icon: z.optional(
    z.string().check(z.maxLength(60_000), z.regex(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/)),
  ),
})

/** Ids of notices; null for all. */
const dismissedSchema = z.nullable(
  z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(500)),
)

const badgeSchema = z.strictObject({ unread: z.int().check(z.nonnegative(), z.maximum(1_000_000)) })

/** So many calls at once, and one more every so many milliseconds. */
export interface RateLimit {
  calls: number
  everyMs: number
}

/** What a member does by hand. */
const BY_HAND: RateLimit = { calls: 10, everyMs: 2_000 }
/** What they do once in a while. */
const SELDOM: RateLimit = { calls: 3, everyMs: 10_000 }

const none = z.tuple([])

/**
 * Calls from the renderer to the main process: channel → schema of its arguments (a tuple), and how often a page may
 * make it. Limited is what costs the member something: windows, dialogs and programs that open, notifications, files
 * that are written, calls to other servers; far above what our own page does, so that a compromised one is refused
 * (`too-often`). What each answers is in `BridgeAnswers`; the two have the same keys.
 */
export const bridgeCalls = {
  'server.current': { args: none, limit: null },
  'server.check': { args: z.tuple([serverAddressSchema]), limit: BY_HAND },
  'server.connect': { args: z.tuple([serverAddressSchema]), limit: BY_HAND },
  'server.useEmbedded': { args: none, limit: SELDOM },
  // Asked before every request to the server.
  'session.getItem': { args: z.tuple([storageKey]), limit: null },
  'session.setItem': {
    args: z.tuple([storageKey, z.string().check(z.maxLength(100_000))]),
    limit: { calls: 60, everyMs: 1_000 },
  },
  'session.removeItem': { args: z.tuple([storageKey]), limit: { calls: 60, everyMs: 1_000 } },
  'session.persistence': { args: none, limit: null },
  'session.keepAnyway': { args: none, limit: SELDOM },
  'files.pick': { args: z.tuple([fileKind]), limit: BY_HAND },
  'files.takeOpened': { args: none, limit: null },
  'preferences.get': { args: none, limit: null },
  'preferences.set': { args: z.tuple([preferencesPatchSchema]), limit: { calls: 60, everyMs: 500 } },
  // As many as a photo that becomes popular brings; how many of them are shown, notifications.ts decides.
  'notifications.show': { args: z.tuple([noticeSchema]), limit: { calls: 300, everyMs: 100 } },
  'notifications.dismiss': { args: z.tuple([dismissedSchema]), limit: { calls: 100, everyMs: 100 } },
  'notifications.shown': { args: none, limit: null },
  'notifications.takeAnswers': { args: none, limit: null },
  'badge.set': { args: z.tuple([badgeSchema]), limit: { calls: 100, everyMs: 100 } },
  'navigation.listen': { args: z.tuple([z.boolean()]), limit: null },
  'authLinks.take': { args: none, limit: null },
  'quit.agree': { args: none, limit: null },
  'quit.setBusy': { args: z.tuple([z.boolean()]), limit: null },
  'window.state': { args: none, limit: null },
  'system.abilities': { args: none, limit: null },
  'updates.state': { args: none, limit: null },
  'updates.check': { args: none, limit: SELDOM },
  'updates.download': { args: none, limit: SELDOM },
  'updates.install': { args: none, limit: SELDOM },
  'help.copyDiagnostics': { args: none, limit: BY_HAND },
  'help.openLog': { args: none, limit: BY_HAND },
  'help.showDataFolder': { args: none, limit: BY_HAND },
  'recovery.take': { args: none, limit: null },
  'shell.openExternal': { args: z.tuple([z.string().check(z.maxLength(2_000))]), limit: BY_HAND },
  'shell.showMailFile': { args: none, limit: BY_HAND },
  'backend.state': { args: none, limit: null },
  'backend.retry': { args: none, limit: BY_HAND },
  'backend.restore': { args: none, limit: SELDOM },
  'log.write': {
    args: z.tuple([z.enum(['info', 'warn', 'error']), z.string().check(z.maxLength(10_000))]),
    limit: { calls: 300, everyMs: 100 },
  },
} as const satisfies Record<string, { args: z.ZodMiniType<unknown[]>; limit: RateLimit | null }>

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
  /** The photo the app was asked to open (dropped on its icon, named on the command line), once. */
  'files.takeOpened': PickedFile | null
  'preferences.get': Preferences
  'preferences.set': Preferences
  /** Tells the member, unless they know already or do not want to: never rejects for that. */
  'notifications.show': undefined
  /** These were read, here or on another device: what the system shows of them is removed. null: the member signed out. */
  'notifications.dismiss': undefined
  /** The ids of what the system shows. */
  'notifications.shown': string[]
  /** What the member did in notifications since it was last asked, oldest first. */
  'notifications.takeAnswers': NotificationAnswer[]
  /** Shows how much is unread on dock or taskbar and in the tray; 0 shows nothing. */
  'badge.set': undefined
  /**
   * Says that `onNavigate` is listened to from now on, with a member signed in, or no longer. Gives the route that
   * came meanwhile, if one did.
   */
  'navigation.listen': string | null
  /** The fragment of the link from a mail of Supabase Auth that was opened last, once; null for none. */
  'authLinks.take': string | null
  /** What the member did is done: the app may go, as `onAsked` asked. */
  'quit.agree': undefined
  /** Says whether something the member did is not finished: main must decide at once whether to delay a logoff. */
  'quit.setBusy': undefined
  'window.state': WindowState
  'system.abilities': DesktopAbilities
  'updates.state': UpdateState
  'updates.check': undefined
  'updates.download': undefined
  /** Quits, installs what is `ready` and starts again. */
  'updates.install': undefined
  /** Puts versions, system and the log's last lines into the clipboard; nothing members wrote. */
  'help.copyDiagnostics': undefined
  'help.openLog': undefined
  'help.showDataFolder': undefined
  /** Whether the page was loaded again because its process had died; true once for each time. */
  'recovery.take': boolean
  'shell.openExternal': undefined
  'shell.showMailFile': undefined
  'backend.state': BackendState
  /** Starts the backend again after it `failed`. */
  'backend.retry': undefined
  /** The same, from the newest snapshot; the data of now is set aside in the folder. */
  'backend.restore': undefined
  'log.write': undefined
}

export type BridgeArguments<C extends BridgeChannel> = z.infer<(typeof bridgeCalls)[C]['args']>

/** Events from the main process to the renderer. */
export interface BridgeEvents {
  /** Go to a route of the app, e.g. `/messages?c=…`. */
  navigate: string
  'preferences.changed': Preferences
  'backend.changed': BackendState
  'window.changed': WindowState
  'updates.changed': UpdateState
  /** Something waits for `notifications.takeAnswers`. */
  'notifications.answered': null
  /** A link waits for `authLinks.take`. */
  'authLinks.opened': null
  /** A photo waits for `files.takeOpened`. */
  'files.opened': null
  /** The computer woke up: connections are dead, whatever they look like. */
  'power.resumed': null
  /** The app is about to quit: call `quit.agree` once nothing of the member's is under way. It does not wait long. */
  'quit.asked': null
}

export type BridgeEvent = keyof BridgeEvents

const events: Record<BridgeEvent, true> = {
  navigate: true,
  'preferences.changed': true,
  'backend.changed': true,
  'window.changed': true,
  'updates.changed': true,
  'notifications.answered': true,
  'authLinks.opened': true,
  'files.opened': true,
  'power.resumed': true,
  'quit.asked': true,
}

export const BRIDGE_EVENTS = Object.keys(events) as readonly BridgeEvent[]

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
  readonly files: {
    pick: Call<'files.pick'>
    takeOpened: Call<'files.takeOpened'>
    onOpened: Listen<'files.opened'>
  }
  readonly preferences: {
    get: Call<'preferences.get'>
    set: Call<'preferences.set'>
    onChange: Listen<'preferences.changed'>
  }
  readonly notifications: {
    show: Call<'notifications.show'>
    dismiss: Call<'notifications.dismiss'>
    shown: Call<'notifications.shown'>
    takeAnswers: Call<'notifications.takeAnswers'>
    onAnswered: Listen<'notifications.answered'>
  }
  readonly badge: { set: Call<'badge.set'> }
  readonly navigation: { listen: Call<'navigation.listen'>; onNavigate: Listen<'navigate'> }
  readonly authLinks: { take: Call<'authLinks.take'>; onOpened: Listen<'authLinks.opened'> }
  readonly quit: { onAsked: Listen<'quit.asked'>; agree: Call<'quit.agree'>; setBusy: Call<'quit.setBusy'> }
  readonly window: { state: Call<'window.state'>; onChange: Listen<'window.changed'> }
  readonly system: { abilities: Call<'system.abilities'>; onResume: Listen<'power.resumed'> }
  readonly updates: {
    state: Call<'updates.state'>
    check: Call<'updates.check'>
    download: Call<'updates.download'>
    install: Call<'updates.install'>
    onChange: Listen<'updates.changed'>
  }
  readonly help: {
    copyDiagnostics: Call<'help.copyDiagnostics'>
    openLog: Call<'help.openLog'>
    showDataFolder: Call<'help.showDataFolder'>
  }
  readonly recovery: { take: Call<'recovery.take'> }
  readonly shell: {
    openExternal: Call<'shell.openExternal'>
    showMailFile: Call<'shell.showMailFile'>
  }
  readonly backend: {
    state: Call<'backend.state'>
    retry: Call<'backend.retry'>
    restore: Call<'backend.restore'>
    onChange: Listen<'backend.changed'>
  }
  readonly log: { write: Call<'log.write'> }
}
