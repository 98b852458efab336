import { createHash } from 'node:crypto'
import type {
  ActivationArguments,
  Notification as ElectronNotification,
  NotificationConstructorOptions,
} from 'electron'
import type { Log } from '#/main/log'

type Shown = Pick<ElectronNotification, 'on' | 'show' | 'close'>
type Restored = Pick<ElectronNotification, 'on' | 'close'> & { readonly id: string }

/** The used part of Electron's Notification class. */
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

export interface SystemNotificationOptions extends Pick<NotificationConstructorOptions, ElectronOptions> {
  /** At most one notification is shown per id. */
  id?: string
  title: string
  /** Plain text. */
  body: string
  clicked?(): void
  /** macOS: the member replied in the notification. */
  replied?(text: string): void
  /** macOS: the member chose the notification's only action. */
  actionChosen?(): void
  /** The notification disappeared without being clicked or removed by the app, or is forgotten because there are too many. */
  closed?(): void
}

/** Receives clicks and answers in notifications of earlier runs; on Windows also answers in those of this run. */
export interface NotificationListener {
  clicked(identifier: string): void
  replied(identifier: string, text: string): void
  actionChosen(identifier: string): void
  /** macOS: this notification is still on screen. */
  restored(identifier: string, remove: () => void): void
}

export interface SystemNotifications {
  isSupported(): boolean
  /** Returns a function that removes it from the screen and the notification centre. */
  show(content: SystemNotificationOptions): () => void
  onEarlier(listener: NotificationListener): void
  /** macOS: removes notifications of earlier runs. */
  removeEarlier(): void
  /**
   * Call when a member has signed in. On macOS the first use of notifications asks for permission, which should not
   * happen before.
   */
  memberSignedIn(): void
}

/** Windows' limit for a notification's id and group, in UTF-16 units. Electron's constructor throws above it. */
const WINDOWS_ID_LIMIT = 64
/** Limit on notifications that stay clickable; a notification centre does not show more. */
const MAX_KEPT = 200

/** The id, or its hash if it is too long for Windows. */
export function limitedId(id: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32' || id.length <= WINDOWS_ID_LIMIT) return id
  return createHash('sha256').update(id).digest('base64url')
}

/** On Linux the body is markup (Desktop Notifications Specification), which Electron does not escape. */
function escapeBody(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'linux') return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export interface SystemNotificationParts {
  system: NotificationClass
  platform: NodeJS.Platform
  log: Pick<Log, 'warn'>
}

/** Wraps Electron's notifications. A failing one is logged and never throws. */
export function createSystemNotifications(parts: SystemNotificationParts): SystemNotifications {
  const { system, platform, log } = parts
  // A notification without a reference is garbage-collected together with its click listener. With what to call at its end.
  const alive = new Map<Shown | Restored, () => void>()
  let earlier: NotificationListener | null = null
  let isRestored = false

  function keep(notification: Shown | Restored, ended: () => void): void {
    alive.set(notification, ended)
    const [oldest] = alive.keys()
    if (alive.size > MAX_KEPT && oldest !== undefined) end(oldest)
  }

  function end(notification: Shown | Restored): void {
    const ended = alive.get(notification)
    alive.delete(notification)
    ended?.()
  }

  function remove(notification: Shown | Restored): void {
    if (!alive.delete(notification)) return
    try {
      notification.close()
    } catch (cause) {
      log.warn('could not remove the notification', cause)
    }
  }

  /** Ends the notification when it is gone for good: a toast that timed out remains in Windows' notification centre. */
  function endWhenClosed(notification: Shown | Restored): void {
    notification.on('close', ({ reason }) => {
      if (reason !== 'timedOut') end(notification)
    })
  }

  function show(content: SystemNotificationOptions): () => void {
    const { clicked, replied, actionChosen, closed, id, ...options } = content
    let removeShown = (): void => undefined
    const fail = (cause: unknown) => {
      log.warn('could not show the notification', cause)
      // Retry without the XML: the click then works at least during this run.
      if (content.toastXml === undefined) return closed?.()
      const { toastXml: _refused, ...plain } = content
      removeShown = show(plain)
    }
    try {
      const notification = new system({
        ...options,
        ...(id !== undefined && { id: limitedId(id, platform) }),
        body: escapeBody(options.body, platform),
      })
      notification.on('click', () => {
        end(notification)
        clicked?.()
      })
      if (replied !== undefined) {
        notification.on('reply', (details) => {
          end(notification)
          replied(details.reply)
        })
      }
      if (actionChosen !== undefined) {
        notification.on('action', () => {
          end(notification)
          actionChosen()
        })
      }
      endWhenClosed(notification)
      notification.on('failed', (_event, error) => {
        if (alive.delete(notification)) fail(error)
      })
      keep(notification, () => closed?.())
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
      keep(notification, () => undefined)
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
        earlier?.actionChosen(id)
      })
      endWhenClosed(notification)
      earlier?.restored(id, () => remove(notification))
    }
  }

  return {
    // On macOS notifications are always supported, and asking would create Electron's presenter, which asks for
    // permission.
    isSupported: () => platform === 'darwin' || system.isSupported(),
    show,
    onEarlier: (listener) => {
      earlier = listener
      if (platform !== 'win32') return
      system.handleActivation(({ type, arguments: text, reply }) => {
        if (type === 'click') listener.clicked(text)
        else if (type === 'reply') listener.replied(text, reply ?? '')
        else if (type === 'action') listener.actionChosen(text)
      })
    },
    removeEarlier: () => {
      if (platform === 'darwin' && isRestored) system.removeAll()
    },
    memberSignedIn: () => {
      if (platform !== 'darwin' || isRestored) return
      isRestored = true
      restore().catch((cause: unknown) => log.warn('could not restore earlier notifications', cause))
    },
  }
}
