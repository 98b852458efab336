import { createHash } from 'node:crypto'
import type {
  ActivationArguments,
  Notification as ElectronNotification,
  NotificationConstructorOptions,
} from 'electron'
import type { Log } from './log'

type Shown = Pick<ElectronNotification, 'on' | 'show'>
type Restored = Pick<ElectronNotification, 'on'> & { readonly id: string }

/** Electron's Notification class, as far as it is used. */
export interface NotificationClass {
  new (options: NotificationConstructorOptions): Shown
  isSupported(): boolean
  /** Windows only. */
  handleActivation(callback: (details: ActivationArguments) => void): void
  /** macOS only. */
  getHistory(): Promise<Restored[]>
}

export interface NotificationContent extends Pick<NotificationConstructorOptions, 'toastXml'> {
  /** What the notification is about; at most one notification shows for each. */
  id?: string
  title: string
  /** Plain text. */
  body: string
  clicked?(): void
}

export interface SystemNotifications {
  isSupported(): boolean
  show(content: NotificationContent): void
  /** Calls back for clicks on notifications of earlier runs, with what identifies them. */
  onEarlierClick(listener: (identifier: string) => void): void
  /** A member signed in: on macOS the first use of notifications asks for permission, and nobody wants that before. */
  memberArrived(): void
}

/** Windows' limit for a notification's id and group, in UTF-16 units: Electron's constructor throws above it. */
const WINDOWS_ID_LIMIT = 64

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
  let earlierClick: ((identifier: string) => void) | null = null
  let isRestored = false

  function show(content: NotificationContent): void {
    const { id, title, body, toastXml, clicked } = content
    const fail = (cause: unknown) => {
      log.warn('notification not shown', cause)
      // Without the XML, the click works at least while this run lasts.
      if (toastXml === undefined) return
      const { toastXml: _refused, ...plain } = content
      show(plain)
    }
    try {
      const notification = new system({
        ...(id !== undefined && { id: limitedId(id, platform) }),
        title,
        body: asBody(body, platform),
        ...(toastXml !== undefined && { toastXml }),
      })
      const forget = () => alive.delete(notification)
      notification.on('click', () => {
        forget()
        clicked?.()
      })
      notification.on('close', forget)
      notification.on('failed', (_event, error) => {
        forget()
        fail(error)
      })
      alive.add(notification)
      notification.show()
    } catch (cause) {
      fail(cause)
    }
  }

  async function restore(): Promise<void> {
    for (const notification of await system.getHistory()) {
      alive.add(notification)
      notification.on('click', () => {
        alive.delete(notification)
        earlierClick?.(notification.id)
      })
      notification.on('close', () => alive.delete(notification))
    }
  }

  return {
    // Asking macOS would create Electron's presenter, which asks the member for permission; it always supports them.
    isSupported: () => platform === 'darwin' || system.isSupported(),
    show,
    onEarlierClick: (listener) => {
      earlierClick = listener
      if (platform !== 'win32') return
      system.handleActivation(({ type, arguments: text }) => {
        if (type === 'click') listener(text)
      })
    },
    memberArrived: () => {
      if (platform !== 'darwin' || isRestored) return
      isRestored = true
      restore().catch((cause: unknown) => log.warn('earlier notifications not restored', cause))
    },
  }
}
