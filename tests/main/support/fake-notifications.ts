import { EventEmitter } from 'node:events'
import type { NativeImage, NotificationConstructorOptions } from 'electron'
import { createNotifications, handleEarlierNotifications } from '#/main/notifications/notifications'
import { createSystemNotifications, type NotificationClass } from '#/main/notifications/system-notifications'
import type { Notice } from '#/shared/bridge'
import type { NoticeContent } from '#/shared/notice-privacy'
import { DEFAULT_PREFERENCES } from '#/shared/preferences'
import { type AppRoute, parseRoute } from '#/shared/routes'
import { manualClock } from './manual-clock'
import { recordingLog } from './recording-log'

export const POST = '/?post=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'

export class FakeNotification extends EventEmitter {
  static shown: FakeNotification[] = []
  static history: FakeNotification[] = []
  static closed: FakeNotification[] = []
  static removals = 0
  static isThere = true
  static platform: NodeJS.Platform = 'linux'
  /** The error that `show` throws. */
  static failure: Error | null = null
  /** Calls that make macOS ask for permission. */
  static uses = 0
  static activate: Parameters<NotificationClass['handleActivation']>[0] | null = null
  readonly id: string

  constructor(readonly options: NotificationConstructorOptions) {
    super()
    FakeNotification.uses += 1
    this.id = options.id ?? ''
    if (FakeNotification.platform === 'win32' && this.id.length > 64)
      throw new Error('Notification id exceeds Windows limit of 64 UTF-16 characters')
  }

  static isSupported(): boolean {
    FakeNotification.uses += 1
    return FakeNotification.isThere
  }

  static handleActivation(callback: Parameters<NotificationClass['handleActivation']>[0]): void {
    if (FakeNotification.platform !== 'win32') throw new TypeError('handleActivation is not a function')
    FakeNotification.activate = callback
  }

  static async getHistory(): Promise<FakeNotification[]> {
    FakeNotification.uses += 1
    return FakeNotification.history
  }

  static removeAll(): void {
    if (FakeNotification.platform !== 'darwin') throw new TypeError('removeAll is not a function')
    FakeNotification.removals += 1
  }

  close(): void {
    FakeNotification.closed.push(this)
    this.emit('close', { reason: 'applicationHidden' })
  }

  show(): void {
    if (FakeNotification.failure !== null) throw FakeNotification.failure
    FakeNotification.shown.push(this)
  }
}

export function systemOn(platform: NodeJS.Platform) {
  FakeNotification.platform = platform
  const log = recordingLog()
  const system = createSystemNotifications({
    system: FakeNotification as unknown as NotificationClass,
    platform,
    log,
  })
  return { system, log }
}

export function notificationsWith({
  areNoticesOn = true,
  platform = 'linux' as NodeJS.Platform,
  launchInfo = {} as unknown,
  shows = 'text' as NoticeContent,
} = {}) {
  const clock = manualClock()
  const { system, log } = systemOn(platform)
  const opened: AppRoute[] = []
  let inView: AppRoute | null = null
  let requests = 0
  let releases = 0
  let answered = 0
  let cleared = 0
  const written: ((url: string | null) => void)[] = []
  const notifications = createNotifications({
    system,
    platform,
    context: () => ({
      now: 0,
      preferences: { ...DEFAULT_PREFERENCES, notificationsPausedUntil: areNoticesOn ? null : 1 },
      window: { isVisible: inView !== null, isFocused: inView !== null },
      inView,
    }),
    shows: () => shows,
    open: (route) => opened.push(route),
    attention: { request: () => (requests += 1), release: () => (releases += 1) },
    pictures: {
      image: (url) => (url === undefined ? null : (url as unknown as NativeImage)),
      write: () => new Promise((resolve) => written.push(resolve)),
      clear: async () => {
        cleared += 1
      },
    },
    answered: () => (answered += 1),
    schedule: clock.schedule,
    now: clock.now,
  })
  const look = (route: string) => {
    inView = parseRoute(route)
  }
  const { handlers } = notifications
  handleEarlierNotifications(system, {
    ...notifications,
    open: (route) => opened.push(route),
    show: () => undefined,
    launchInfo,
  })
  return {
    clock,
    log,
    look,
    opened,
    system,
    written,
    show: handlers['notifications.show'],
    dismiss: handlers['notifications.dismiss'],
    ids: handlers['notifications.shown'],
    takeAnswers: handlers['notifications.takeAnswers'],
    requests: () => requests,
    releases: () => releases,
    answered: () => answered,
    cleared: () => cleared,
  }
}

export function like(id: string, given: Partial<Notice> = {}): Notice {
  return { kind: 'like', id, title: 'mara', body: 'liked your post', route: POST, ...given }
}

/** Resets the recorded notifications. */
export function resetNotifications(): void {
  FakeNotification.shown = []
  FakeNotification.closed = []
  FakeNotification.removals = 0
  FakeNotification.history = []
  FakeNotification.isThere = true
  FakeNotification.failure = null
  FakeNotification.uses = 0
  FakeNotification.activate = null
}
