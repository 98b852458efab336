import { createHash } from 'node:crypto'
import type {
  ActivationArguments,
  Notification as ElectronNotification,
  NotificationConstructorOptions,
} from 'electron'
import type { Log } from './log'

type Shown = Pick<ElectronNotification, 'on' | 'show' | 'close'>
type Restored = Pick<ElectronNotification, 'on' | 'close'> & { readonly id: string }

/** Electron's Notification class, as far as it is used. */
export interface NotificationClass {
  new (options: NotificationConstructorOptions): Shown
  isSupported(): boolean
  /** Windows only. */
  handleActivation(callback: (details: ActivationArguments) => void): void
  /** macOS only. */
  getHistory(): Promise<Restored[]>
  /** macOS only. */
  removeAll(): void
}

type ElectronOptions =
  | 'icon'
  | 'groupId'
  | 'groupTitle'
  | 'hasReply'
  | 'replyPlaceholder'
  | 'actions'
  | 'toastXml'

export interface NotificationContent extends Pick<NotificationConstructorOptions, ElectronOptions> {
  /** What the notification is about; at most one notification shows for each. */
  id?: string
  title: string
  /** Plain text. */
  body: string
  clicked?(): void
  /** macOS: a reply was written in the notification. */
  replied?(text: string): void
  /** macOS: the only action was chosen. */
  acted?(): void
  /** The system does not show it any more, and it was not removed by the app. */
  gone?(): void
}

/** Receives clicks and answers in notifications of an earlier run; on Windows also answers in notifications of this run. */
export interface EarlierNotifications {
  clicked(identifier: string): void
  replied(identifier: string, text: string): void
  acted(identifier: string): void
  /** The system still shows this one (macOS). */
  found(identifier: string, remove: () => void): void
}

export interface SystemNotifications {
  isSupported(): boolean
  /** Gives what removes it, from the screen and from the notification centre. */
  show(content: NotificationContent): () => void
  onEarlier(listener: EarlierNotifications): void
  /** Removes what the system still shows of earlier runs, as far as it can (macOS). */
  removeEarlier(): void
  /** A member signed in: on macOS the first use of notifications asks for permission, and nobody wants that before. */
  memberArrived(): void
}

/** Windows' limit for a notification's id and group, in UTF-16 units: Electron's constructor throws above it. */
const WINDOWS_ID_LIMIT = 64
/** Notifications that are kept to be clicked and removed; a notification centre does not show more. */
const KEPT = 200

/** The id, or its hash where it is too long for Windows. */
export function limitedId(id: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32' || id.length <= WINDOWS_ID_LIMIT) return id
  return createHash('sha256').update(id).digest('base64url')
}

/** The Desktop Notifications Specification makes bodies markup, and Electron passes them on as they are. */
function asBody(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'linux') return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export interface SystemNotificationParts {
  system: NotificationClass
  platform: NodeJS.Platform
  log: Pick<Log, 'warn'>
}

/** The system's notifications within its limits; one that fails is logged, and never takes the app down. */
export function createSystemNotifications(parts: SystemNotificationParts): SystemNotifications {
  const { system, platform, log } = parts
  // Without a reference Node collects a notification, and its click with it.
  const alive = new Set<Shown | Restored>()
  let earlier: EarlierNotifications | null = null
  let isRestored = false

  function keep(notification: Shown | Restored): void {
    alive.add(notification)
    const [oldest] = alive
    if (alive.size > KEPT && oldest !== undefined) alive.delete(oldest)
  }

  function remove(notification: Shown | Restored): void {
    if (!alive.delete(notification)) return
    try {
      notification.close()
    } catch (cause) {
      log.warn('notification not removed', cause)
    }
  }

  /** Calls back when the system has let go of it; a toast that timed out is still in Windows' notification centre. */
  function onGone(notification: Shown | Restored, gone: () => void): void {
    notification.on('close', ({ reason }) => {
      if (reason !== 'timedOut' && alive.delete(notification)) gone()
    })
  }

  function show(content: NotificationContent): () => void {
    const { clicked, replied, acted, gone, id, ...options } = content
    let removeShown = (): void => undefined
    const fail = (cause: unknown) => {
      log.warn('notification not shown', cause)
      // Without the XML, the click works at least while this run lasts.
      if (content.toastXml === undefined) return gone?.()
      const { toastXml: _refused, ...plain } = content
      removeShown = show(plain)
    }
    try {
      const notification = new system({
        ...options,
        ...(id !== undefined && { id: limitedId(id, platform) }),
        body: asBody(options.body, platform),
      })
      const forget = () => {
        if (alive.delete(notification)) gone?.()
      }
      notification.on('click', () => {
        forget()
        clicked?.()
      })
      if (replied !== undefined) {
        notification.on('reply', (details) => {
          forget()
          replied(details.reply)
        })
      }
      if (acted !== undefined) {
        notification.on('action', () => {
          forget()
          acted()
        })
      }
      onGone(notification, () => gone?.())
      notification.on('failed', (_event, error) => {
        if (alive.delete(notification)) fail(error)
      })
      keep(notification)
      removeShown = () => remove(notification)
      notification.show()
    } catch (cause) {
      fail(cause)
    }
    return () => removeShown()
  }

  async function restore(): Promise<void> {
    for (const notification of await system.getHistory()) {
      const { id } = notification
      keep(notification)
      notification.on('click', () => {
        alive.delete(notification)
        earlier?.clicked(id)
      })
      notification.on('reply', (details) => {
        alive.delete(notification)
        earlier?.replied(id, details.reply)
      })
      notification.on('action', () => {
        alive.delete(notification)
        earlier?.acted(id)
      })
      onGone(notification, () => undefined)
      earlier?.found(id, () => remove(notification))
    }
  }

  return {
    // Asking macOS would create Electron's presenter, which asks the member for permission; it always supports them.
    isSupported: () => platform === 'darwin' || system.isSupported(),
    show,
    onEarlier: (listener) => {
      earlier = listener
      if (platform !== 'win32') return
      system.handleActivation(({ type, arguments: text, reply }) => {
        if (type === 'click') listener.clicked(text)
        else if (type === 'reply') listener.replied(text, reply ?? '')
        else if (type === 'action') listener.acted(text)
      })
    },
    removeEarlier: () => {
      if (platform === 'darwin' && isRestored) system.removeAll()
    },
    memberArrived: () => {
      if (platform !== 'darwin' || isRestored) return
      isRestored = true
      restore().catch((cause: unknown) => log.warn('earlier notifications not restored', cause))
    },
  }
}
