import type { NotificationConstructorOptions, Notification as RealNotification } from 'electron'
import { hasBecomeReady, knowsOnly, StandinEmitter, strictClass, type Unknown } from './life'
import { record } from './record'

const shown: StandinNotification[] = []

/** The system's notification service: `none` has no service, `refuse` rejects every notification. */
export type NotificationMode = 'show' | 'refuse' | 'none'

let mode = (process.env.STANDIN_NOTIFICATIONS ?? 'show') as NotificationMode

export function setNotifications(next: NotificationMode): void {
  mode = next
}

/** Windows' limit for ids, in UTF-16 units (shell/browser/api/electron_api_notification.cc). */
const MAX_TAG_LENGTH = 64

/** On macOS the first use asks for permission; on Windows it creates a shortcut. */
function createPresenter(): void {
  if (process.platform === 'darwin') record.order.push('notification permission')
  // windows_toast_activator.cc, EnsureShortcut.
  if (process.platform === 'win32') record.shortcut = `${record.appName}.lnk`
}

class StandinNotification extends StandinEmitter {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly toastXml: string
  readonly groupId: string
  readonly hasReply: boolean
  readonly actions: Electron.NotificationAction[]
  readonly #icon: NotificationConstructorOptions['icon']

  constructor(options: NotificationConstructorOptions = {}) {
    super('Notification')
    if (!hasBecomeReady()) throw new Error('Cannot create Notification before app is ready')
    createPresenter()
    const { id, groupId = '', groupTitle = '' } = options
    this.id = id || `random-${shown.length}`
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.toastXml = options.toastXml ?? ''
    this.groupId = groupId
    this.hasReply = options.hasReply ?? false
    this.actions = options.actions ?? []
    this.#icon = options.icon
    if (process.platform !== 'win32') return
    if (this.id.length > MAX_TAG_LENGTH)
      throw new Error('Notification id exceeds Windows limit of 64 UTF-16 characters')
    if (groupId.length > MAX_TAG_LENGTH)
      throw new Error('Notification groupId exceeds Windows limit of 64 UTF-16 characters')
    if (groupTitle !== '' && groupId === '')
      throw new Error('Notification groupTitle requires groupId to be set')
  }

  static isSupported(): boolean {
    createPresenter()
    return mode !== 'none'
  }

  static async getHistory(): Promise<StandinNotification[]> {
    createPresenter()
    return []
  }

  /** Exist only on some platforms, see below. */
  declare static removeAll: () => void
  declare static handleActivation: (callback: (details: Electron.ActivationArguments) => void) => void

  close(): void {
    forgetOnScreen(this.id)
    setImmediate(() => this.emit('close', { reason: 'applicationHidden', preventDefault: () => undefined }))
  }

  show(): void {
    if (mode === 'none') return
    // The system replies asynchronously, over D-Bus or from the notification platform.
    setImmediate(() => {
      if (mode === 'refuse') {
        this.emit('failed', { preventDefault: () => undefined }, 'refused by the system')
        return
      }
      shown.push(this)
      const { id, title, body, toastXml, groupId } = this
      const hasIcon = this.#icon !== undefined
      record.notifications.push({ id, title, body, toastXml, groupId, hasIcon })
      record.notificationsOnScreen.push(id)
      this.emit('show', { preventDefault: () => undefined })
    })
  }
}

export function forgetOnScreen(id: string): void {
  record.notificationsOnScreen = record.notificationsOnScreen.filter((other) => other !== id)
}

knowsOnly<Unknown<StandinNotification, RealNotification>>()
knowsOnly<Unknown<typeof StandinNotification, typeof RealNotification>>()

let activated: ((details: Electron.ActivationArguments) => void) | null = null

/** Electron has handleActivation only on Windows and removeAll only on macOS. */
export function becomePlatform(platform: NodeJS.Platform): void {
  if (platform === 'darwin') {
    StandinNotification.removeAll = () => {
      record.notificationsOnScreen = []
    }
  }
  if (platform !== 'win32') return
  StandinNotification.handleActivation = (callback) => {
    activated = callback
  }
}

function lastShown(): StandinNotification {
  const last = shown.at(-1)
  if (last === undefined) throw new Error('no notification was shown')
  return last
}

/** Clicks the latest notification; on Windows this also calls the activation handler. */
export function clickNotification(): void {
  forgetOnScreen(lastShown().id)
  lastShown().emit('click', { preventDefault: () => undefined })
  activated?.({ type: 'click', arguments: 'type=click&tag=2876514' })
}

/**
 * Replies in the latest notification, or chooses its action (null). On Windows the XML's arguments go to the activation
 * handler (windows_toast_activator.cc, HandleToastActivation); Linux has neither.
 */
export function answerNotification(reply: string | null): void {
  const last = lastShown()
  const type = reply === null ? 'action' : 'reply'
  if (process.platform === 'win32') {
    const [, args] = new RegExp(`arguments="(type=${type}[^"]*)"`).exec(last.toastXml) ?? []
    if (args === undefined) throw new Error(`the toast has no ${type}`)
    const details = reply === null ? { actionIndex: 0 } : { reply, userInputs: { reply } }
    activated?.({ type, arguments: args.replaceAll('&amp;', '&'), ...details })
    return
  }
  if (process.platform !== 'darwin') throw new Error('Linux shows neither actions nor replies')
  if (reply === null) {
    if (last.actions.length === 0) throw new Error('the notification has no action')
    last.emit('action', { actionIndex: 0, selectionIndex: -1, preventDefault: () => undefined })
  } else {
    if (!last.hasReply) throw new Error('the notification takes no reply')
    last.emit('reply', { reply, preventDefault: () => undefined })
  }
}

/** Dismisses the latest notification, or moves it to the Windows notification centre. */
export function closeNotification(): void {
  lastShown().emit('close', { reason: 'timedOut', preventDefault: () => undefined })
}

export const Notification = strictClass('Notification', StandinNotification)
