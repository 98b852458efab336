import * as z from 'zod/mini'
import type { BridgeErrorCode } from './bridge-error'
import { FIND_MAX } from './limits'
import { type Preferences, preferencesPatchSchema } from './preferences-schema'
import { parseRoute } from './routes'
import type { ServerAddress, ServerCheck, ServerInfo } from './server'
import { serverAddressSchema } from './server-address'

const fileKind = z.enum(['photo', 'avatar'])
export type FileKind = z.infer<typeof fileKind>

/** A file that the member chose: its name (for display only; its type is never derived from it) and content. */
export interface PickedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A video that the app was opened with, which is read in parts from `url`: it may have a gigabyte. */
export interface OpenedVideo {
  /** For display only. */
  name: string
  size: number
  /** A path of the page's own server. */
  url: string
}

const noticeKind = z.enum([
  'message',
  'like',
  'comment',
  'mention',
  'reply',
  'comment_like',
  'follow',
  'request',
  'accepted',
  'story_view',
])
/** The kinds of events that cause a system notification. */
export type NoticeKind = z.infer<typeof noticeKind>

/** An event that may be shown as a system notification. The host decides whether, when and how. */
export interface Notice {
  kind: NoticeKind
  /** Id of the message or notification. Each id is shown once. */
  id: string
  title: string
  body: string
  /** The route that a click opens, as written by `routePath`. */
  route: string
  /** When a message was sent, as the server writes it. */
  sentAt?: string | undefined
  /** Whom it is for: a hash of the server and the member, as 32 hexadecimal digits. */
  owner?: string | undefined
  /** The sender's picture: a small PNG as a data URL. */
  icon?: string | undefined
}

/** A reply or 'Mark as Read' from a message notification. */
export interface NotificationAnswer {
  conversationId: string
  /** The reply's text; null for 'Mark as Read'. */
  reply: string | null
  /** The newest message of the answered notifications; null for one of an earlier version of the app. */
  until: { created_at: string; id: string } | null
  /** `Notice.owner` of the notification, which may be of an earlier run; null for one of an earlier version of the app. */
  owner: string | null
}

/** Whether the window is visible, and whether it is focused. `document.hidden` is not reliable in Electron. */
export interface WindowState {
  isVisible: boolean
  isFocused: boolean
}

/** Spell checker languages, as language codes (`en-GB`). */
export interface SpellCheckLanguages {
  available: string[]
  /** The system's language, or the closest one that is available. */
  suggested: string
}

/** Which optional features this host supports. The settings show only these. */
export interface DesktopAbilities {
  notifications: boolean
  /** Bouncing the Dock icon or flashing the taskbar entry. */
  attention: boolean
  /** Whether the host knows that the screen is locked. */
  lockScreen: boolean
  startAtLogin: boolean
  /** Whether the app can keep running in a tray after its window is closed. */
  tray: boolean
  /** Whether this run keeps crash dumps. */
  crashDumps: boolean
  /** Whether the log and the data folder can be opened. */
  files: boolean
  /** Whether the system opens the app's links (`vignette://`), also those of recovery mails, with the app. */
  links: boolean
  /** Whether Chromium's sandbox protects the system from the page; a switch of the command line turns it off. */
  sandbox: boolean
  /** Whether this run uses hardware acceleration; null if the app has no say in it. */
  acceleration: boolean | null
  /** Null if the system chooses the languages. */
  spellCheck: SpellCheckLanguages | null
}

/** State of the automatic updates. `off`: this build has no update feed. */
export type UpdateState =
  | { state: 'off' }
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'available'; version: string }
  | { state: 'downloading'; percent: number }
  | { state: 'ready'; version: string }
  | { state: 'failed' }

/**
 * How sessions are stored: `secure` in the system's keychain; `locked` in memory until the app restarts, because the
 * keychain cannot be opened; `memory` until the app quits, because there is no keychain; `plain` on disk without a
 * keychain, by the member's choice; `browser` in the browser's storage.
 */
export type SessionPersistence = 'secure' | 'locked' | 'memory' | 'plain' | 'browser'

/** State of the embedded backend, if it is the current server. */
export type BackendState =
  | { state: 'starting' }
  | { state: 'ready' }
  | { state: 'restored'; from: string }
  | { state: 'restarting' }
  /** `canRestore`: there is a snapshot that `backend.restore` can use. */
  | { state: 'failed'; message: string; canRestore: boolean }

/** What the find bar shows of a search in the page. */
export interface FoundInPage {
  /** The position of the active match, from 1; 0 if nothing was found. */
  active: number
  matches: number
}

const storageKey = z.string().check(z.minLength(1), z.maxLength(200))

/** Times of the server, to the microsecond. */
export const SENT_AT = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/

/** `Notice.owner`. */
export const NOTICE_OWNER = /^[0-9a-f]{32}$/

const noticeSchema = z.strictObject({
  kind: noticeKind,
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  body: z.string().check(z.maxLength(500)),
  route: z.string().check(z.refine((route) => parseRoute(route) !== null)),
  /** When a message was sent, as the server writes it. */
  sentAt: z.optional(z.string().check(z.regex(SENT_AT))),
  owner: z.optional(z.string().check(z.regex(NOTICE_OWNER))),
  icon: z.optional(
    z.string().check(z.maxLength(60_000), z.regex(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/)),
  ),
})

/** Notice ids; null for all. */
const dismissedSchema = z.nullable(
  z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(500)),
)

const findText = z.string().check(z.minLength(1), z.maxLength(FIND_MAX))

const findOptions = z.strictObject({
  isForward: z.boolean(),
  /** Whether the text has changed: then the search starts at the active match instead of after it. */
  isNew: z.boolean(),
})

/** A picture that the member wants to save, as the page knows it. */
const savedPictureSchema = z.strictObject({
  /** The author's username, and the day as `2026-11-26`, for the name of the file. */
  author: z.nullable(z.string().check(z.maxLength(100))),
  date: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
  /** The content of a `blob:` URL, which only the page can read; null for other URLs. */
  bytes: z.nullable(z.instanceof(Uint8Array)),
})

export type SavedPicture = z.infer<typeof savedPictureSchema>

const badgeSchema = z.strictObject({ unread: z.int().check(z.nonnegative(), z.maximum(1_000_000)) })

const uploadTotalSchema = z.nullable(
  z.strictObject({
    /** How much is sent, from 0 to 1. */
    fraction: z.number().check(z.minimum(0), z.maximum(1)),
    /** Whether the uploads have been cut off and wait for the connection. */
    isWaiting: z.boolean(),
  }),
)
/** All uploads of the member together. */
export type UploadTotal = NonNullable<z.infer<typeof uploadTotalSchema>>

/** A token bucket: `calls` at once, then one every `everyMs` milliseconds. */
export interface RateLimit {
  calls: number
  everyMs: number
}

const MANUAL: RateLimit = { calls: 10, everyMs: 2_000 }
const RARE: RateLimit = { calls: 3, everyMs: 10_000 }

const none = z.tuple([])

/**
 * Calls from the renderer to the main process: per channel, the schema of its arguments (a tuple) and its rate limit.
 * Calls that cost the member something are limited: windows, dialogs, programs, notifications, written files, requests
 * to other servers. The limits are far above what the app itself needs, so that only a compromised page is refused
 * (`too-often`). `BridgeResults` has the result types, under the same keys.
 */
export const bridgeCalls = {
  'server.storageKey': { args: none, limit: null },
  'server.current': { args: none, limit: null },
  'server.check': { args: z.tuple([serverAddressSchema]), limit: MANUAL },
  'server.connect': { args: z.tuple([serverAddressSchema]), limit: MANUAL },
  'server.useEmbedded': { args: none, limit: RARE },
  // Read before every request to the server.
  'session.getItem': { args: z.tuple([storageKey]), limit: null },
  'session.setItem': {
    args: z.tuple([storageKey, z.string().check(z.maxLength(100_000))]),
    limit: { calls: 60, everyMs: 1_000 },
  },
  'session.removeItem': { args: z.tuple([storageKey]), limit: { calls: 60, everyMs: 1_000 } },
  'session.persistence': { args: none, limit: null },
  'session.keepAnyway': { args: none, limit: RARE },
  'files.pick': { args: z.tuple([fileKind]), limit: MANUAL },
  'files.pickPhotos': { args: none, limit: MANUAL },
  'files.readPicked': { args: z.tuple([z.int().check(z.nonnegative(), z.maximum(10_000))]), limit: null },
  'files.takeOpened': { args: none, limit: null },
  'files.takeOpenedVideo': { args: none, limit: null },
  'files.forgetOpened': { args: none, limit: null },
  'files.savePicture': { args: z.tuple([savedPictureSchema]), limit: MANUAL },
  'preferences.get': { args: none, limit: null },
  'preferences.set': { args: z.tuple([preferencesPatchSchema]), limit: { calls: 60, everyMs: 500 } },
  // Enough for the events of a popular photo. notifications.ts limits how many are shown.
  'notifications.show': { args: z.tuple([noticeSchema]), limit: { calls: 300, everyMs: 100 } },
  'notifications.dismiss': { args: z.tuple([dismissedSchema]), limit: { calls: 100, everyMs: 100 } },
  'notifications.shown': { args: none, limit: null },
  'notifications.takeAnswers': { args: none, limit: null },
  'badge.set': { args: z.tuple([badgeSchema]), limit: { calls: 100, everyMs: 100 } },
  // Percents of uploads, whose events come up to twenty times a second each.
  'uploads.show': { args: z.tuple([uploadTotalSchema]), limit: { calls: 300, everyMs: 20 } },
  'navigation.listen': { args: z.tuple([z.boolean()]), limit: null },
  'authLinks.take': { args: none, limit: null },
  'serverLinks.take': { args: none, limit: null },
  'find.search': { args: z.tuple([findText, findOptions]), limit: null },
  'find.stop': { args: z.tuple([z.enum(['clearSelection', 'keepSelection'])]), limit: null },
  'quit.agree': { args: none, limit: null },
  'quit.setBusy': { args: z.tuple([z.boolean()]), limit: null },
  'window.state': { args: none, limit: null },
  'system.abilities': { args: none, limit: null },
  'system.restart': { args: none, limit: RARE },
  'updates.state': { args: none, limit: null },
  'updates.check': { args: none, limit: RARE },
  'updates.download': { args: none, limit: RARE },
  'updates.install': { args: none, limit: RARE },
  'help.copyDiagnostics': { args: none, limit: MANUAL },
  'help.openLog': { args: none, limit: MANUAL },
  'help.showDataFolder': { args: none, limit: MANUAL },
  'recovery.take': { args: none, limit: null },
  'shell.openExternal': { args: z.tuple([z.string().check(z.maxLength(2_000))]), limit: MANUAL },
  'shell.showMailFile': { args: none, limit: MANUAL },
  'backend.state': { args: none, limit: null },
  'backend.retry': { args: none, limit: MANUAL },
  'backend.restore': { args: none, limit: RARE },
  'log.write': {
    args: z.tuple([z.enum(['info', 'warn', 'error']), z.string().check(z.maxLength(10_000))]),
    limit: { calls: 300, everyMs: 100 },
  },
} as const satisfies Record<string, { args: z.ZodMiniType<unknown[]>; limit: RateLimit | null }>

export type BridgeChannel = keyof typeof bridgeCalls

export interface BridgeResults extends Record<BridgeChannel, unknown> {
  /** `ServerInfo.storageKey` of the current server, known before the embedded server has started. */
  'server.storageKey': string
  'server.current': ServerInfo
  /** Checks that the address is valid, responds, and is a Supabase server with this key and our schema. */
  'server.check': ServerCheck
  /** Checks and saves the address, then reloads the page with the new server. */
  'server.connect': ServerCheck
  'server.useEmbedded': undefined
  'session.getItem': string | null
  'session.setItem': undefined
  'session.removeItem': undefined
  'session.persistence': SessionPersistence
  /** The member accepts storing the session on disk although there is no keychain. */
  'session.keepAnyway': undefined
  'files.pick': PickedFile | null
  /** The names of photos chosen together; none if cancelled. `readPicked` reads them one by one, because each may have 200 MB. */
  'files.pickPhotos': string[]
  /** The photo at this position of the last `pickPhotos`. */
  'files.readPicked': PickedFile
  /** The next photo that the app was opened with (dropped on its icon or named on the command line). Returned once. */
  'files.takeOpened': PickedFile | null
  /** The same for videos. */
  'files.takeOpenedVideo': OpenedVideo | null
  /** The member has signed out: what they opened is not for the next one. */
  'files.forgetOpened': undefined
  /** Asks the member where to save the picture of the last `files.pictureAsked`, and saves it. Refused without one. */
  'files.savePicture': undefined
  'preferences.get': Preferences
  'preferences.set': Preferences
  /** Shows a notification unless the member's settings or the current view suppress it, which is not an error. */
  'notifications.show': undefined
  /**
   * Removes the notifications of notices that were read here or on another device. null removes all, after signing out.
   */
  'notifications.dismiss': undefined
  /** Ids of the notices on screen. */
  'notifications.shown': string[]
  /** Replies and 'Mark as Read' since the last call, oldest first. */
  'notifications.takeAnswers': NotificationAnswer[]
  /** Shows the unread count on Dock, taskbar and tray; 0 clears it. */
  'badge.set': undefined
  /** Shows the member's uploads on Dock, taskbar or launcher; null removes the bar. */
  'uploads.show': undefined
  /**
   * Reports whether a signed-in member's page listens to `onNavigate`. Returns the route requested in the meantime, if
   * any.
   */
  'navigation.listen': string | null
  /** The fragment of the latest Supabase Auth email link, once; null if there is none. */
  'authLinks.take': string | null
  /** The server of the latest link to one, once; null if there is none. */
  'serverLinks.take': ServerAddress | null
  /** Marks and counts a text in the page, and scrolls to the active match. Null if another search or `stop` came first. */
  'find.search': FoundInPage | null
  /** Removes the marks. `keepSelection` selects the active match. */
  'find.stop': undefined
  /** Reply to `onAsked`: all pending work is finished. */
  'quit.agree': undefined
  /** Reports whether there is pending work: at logoff the main process must decide at once whether to delay it. */
  'quit.setBusy': undefined
  'window.state': WindowState
  'system.abilities': DesktopAbilities
  /** Quits and starts again, once the page has finished its pending work. */
  'system.restart': undefined
  'updates.state': UpdateState
  'updates.check': undefined
  'updates.download': undefined
  /** Quits, installs the `ready` update and restarts. */
  'updates.install': undefined
  /** Copies versions, system and the end of the log to the clipboard; nothing that members wrote. */
  'help.copyDiagnostics': undefined
  'help.openLog': undefined
  'help.showDataFolder': undefined
  /** Whether the page was reloaded after its process crashed. Returns true once per crash. */
  'recovery.take': boolean
  'shell.openExternal': undefined
  'shell.showMailFile': undefined
  'backend.state': BackendState
  /** Starts the backend again after it `failed`. */
  'backend.retry': undefined
  /** Like `backend.retry`, but restores the newest snapshot and sets the current data aside in the folder. */
  'backend.restore': undefined
  'log.write': undefined
}

export type BridgeArguments<C extends BridgeChannel> = z.infer<(typeof bridgeCalls)[C]['args']>

/** Events from the main process to the renderer. */
export interface BridgeEvents {
  /** Navigate to a route, e.g. `/messages?c=…`. */
  navigate: string
  'preferences.changed': Preferences
  'backend.changed': BackendState
  'window.changed': WindowState
  'updates.changed': UpdateState
  /** Call `notifications.takeAnswers`. */
  'notifications.answered': null
  /** Call `authLinks.take`. */
  'authLinks.opened': null
  /** Call `serverLinks.take`. */
  'serverLinks.opened': null
  /** The member chose 'Find…' in the menu. */
  'find.asked': null
  /** Call `files.takeOpened` or `files.takeOpenedVideo`. */
  'files.opened': null
  /** The member wants to save the picture with this URL: call `files.savePicture`. */
  'files.pictureAsked': string
  /** The computer woke up: open connections are dead, even if they look alive. */
  'power.resumed': null
  /** The app is about to quit: call `quit.agree` once no work is pending. There is a time limit. */
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
  'serverLinks.opened': true,
  'find.asked': true,
  'files.opened': true,
  'files.pictureAsked': true,
  'power.resumed': true,
  'quit.asked': true,
}

export const BRIDGE_EVENTS = Object.keys(events) as readonly BridgeEvent[]

/** The wire format of a result: errors as data, because Electron reduces thrown ones to a string. */
export type BridgeReply<T> =
  | { ok: true; value: T }
  | { ok: false; error: { code: BridgeErrorCode; message: string } }

type Call<C extends BridgeChannel> = (...args: BridgeArguments<C>) => Promise<BridgeResults[C]>
/** Subscribes and returns the unsubscribe function. */
type Listen<E extends BridgeEvent> = (listener: (value: BridgeEvents[E]) => void) => () => void

/**
 * The API of `window.desktop`: one function per channel. The preload, the browser host and every fake implement this
 * type.
 */
export interface DesktopBridge {
  readonly host: 'electron' | 'browser'
  readonly platform: 'darwin' | 'win32' | 'linux' | 'web'
  readonly server: {
    storageKey: Call<'server.storageKey'>
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
    pickPhotos: Call<'files.pickPhotos'>
    readPicked: Call<'files.readPicked'>
    takeOpened: Call<'files.takeOpened'>
    takeOpenedVideo: Call<'files.takeOpenedVideo'>
    forgetOpened: Call<'files.forgetOpened'>
    savePicture: Call<'files.savePicture'>
    onPictureAsked: Listen<'files.pictureAsked'>
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
  readonly uploads: { show: Call<'uploads.show'> }
  readonly navigation: { listen: Call<'navigation.listen'>; onNavigate: Listen<'navigate'> }
  readonly serverLinks: { take: Call<'serverLinks.take'>; onOpened: Listen<'serverLinks.opened'> }
  readonly authLinks: { take: Call<'authLinks.take'>; onOpened: Listen<'authLinks.opened'> }
  readonly find: { search: Call<'find.search'>; stop: Call<'find.stop'>; onAsked: Listen<'find.asked'> }
  readonly quit: { onAsked: Listen<'quit.asked'>; agree: Call<'quit.agree'>; setBusy: Call<'quit.setBusy'> }
  readonly window: { state: Call<'window.state'>; onChange: Listen<'window.changed'> }
  readonly system: {
    abilities: Call<'system.abilities'>
    restart: Call<'system.restart'>
    onResume: Listen<'power.resumed'>
  }
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
