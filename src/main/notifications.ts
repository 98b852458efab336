import type {
  ActivationArguments,
  Notification as ElectronNotification,
  NotificationConstructorOptions,
} from 'electron'
import type { Notice } from '#/shared/bridge'
import { type AppRoute, parseRoute, routePath } from '#/shared/routes'
import { isWanted, type NoticeMoment } from '#/shared/wanted-notices'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import { groupOf, type Told, tellingOf } from './notification-policy'
import type { Schedule } from './timers'
import { toastXml } from './windows-toast'

/** How long the next notice of a group is waited for, and how long all of them together; both in milliseconds. */
const GATHER_MS = 700
const GATHER_LIMIT_MS = 3_000
/** As many as a busy day may bring; older ones are forgotten. */
const REMEMBERED = 1_000

type Shown = Pick<ElectronNotification, 'on' | 'show'>

/** Electron's Notification class, as far as it is used. */
export interface NotificationSystem {
  new (options: NotificationConstructorOptions): Shown
  isSupported(): boolean
  /** Windows only. */
  handleActivation(callback: (details: ActivationArguments) => void): void
  /** macOS only. */
  getHistory(): Promise<(Pick<ElectronNotification, 'on'> & { readonly id: string })[]>
}

export interface NotificationParts {
  system: NotificationSystem
  platform: NodeJS.Platform
  moment(): NoticeMoment
  /** Brings the window up on the route. */
  open(route: AppRoute): void
  schedule: Schedule
  now(): number
  log: Pick<Log, 'warn'>
}

interface Gathering {
  notices: [Notice, ...Notice[]]
  since: number
  cancel(): void
}

/** The route travels in the notification's id: the system hands that back when nothing of this run is left. */
function idFor(route: AppRoute, id: string): string {
  return `${routePath(route)}#${id}`
}

/** The route out of what the system handed back, wherever in it the id stands; null when there is none of ours. */
export function routeFromActivation(text: string): AppRoute | null {
  let decoded = text
  try {
    decoded = decodeURIComponent(text)
  } catch {
    // Not encoded then.
  }
  const path = /(?:^|[=;&|\s"])(\/[^#;|\s"]*)#/.exec(decoded)?.[1]
  return path === undefined ? null : parseRoute(path)
}

/**
 * The system's notifications: each event is told once, if its member wants it now, and a burst becomes one. A click
 * leads to what it is about, also out of the notification centre of an earlier run.
 */
export function createNotifications(parts: NotificationParts): HandlersOf<'notifications'> {
  const { system, platform, schedule, now, log } = parts
  const told = new Set<string>()
  const gatherings = new Map<string, Gathering>()
  // Without a reference Node collects a notification, and its click with it.
  const alive = new Set<Shown>()

  function tell(group: string, notices: [Notice, ...Notice[]]): void {
    gatherings.delete(group)
    show(idFor(tellingOf(notices).route, notices[0].id), tellingOf(notices), platform === 'win32')
  }

  function show(id: string, told: Told, asXml: boolean): void {
    const { title, body, route } = told
    const notification = new system({ id, title, body, ...(asXml && { toastXml: toastXml(told) }) })
    const forget = () => alive.delete(notification)
    notification.on('click', () => {
      forget()
      parts.open(route)
    })
    notification.on('close', forget)
    notification.on('failed', (_event, error) => {
      forget()
      log.warn('notification not shown', error)
      // Told plainly, it leads to its place at least as long as this run lasts.
      if (asXml) show(id, told, false)
    })
    alive.add(notification)
    notification.show()
  }

  function gather(notice: Notice): void {
    const group = groupOf(notice)
    const before = gatherings.get(group)
    before?.cancel()
    const notices: [Notice, ...Notice[]] = before === undefined ? [notice] : [...before.notices, notice]
    const since = before?.since ?? now()
    const patience = Math.max(0, Math.min(GATHER_MS, since + GATHER_LIMIT_MS - now()))
    gatherings.set(group, { notices, since, cancel: schedule(patience, () => tell(group, notices)) })
  }

  return {
    'notifications.show': (notice) => {
      if (!system.isSupported() || told.has(notice.id)) return undefined
      told.add(notice.id)
      if (told.size > REMEMBERED) told.delete(told.values().next().value ?? '')
      if (isWanted(notice, parts.moment())) gather(notice)
      return undefined
    },
  }
}

export interface EarlierParts extends Pick<NotificationParts, 'system' | 'platform' | 'open'> {
  /** Brings the window up where it is. */
  show(): void
}

/**
 * Listens to clicks on notifications that this run did not show: after a restart, or that started the app. Windows also
 * tells of those that this run shows and hears of by itself, so what names no route leads nowhere else.
 */
export async function followEarlierNotifications({
  system,
  platform,
  open,
  show,
}: EarlierParts): Promise<void> {
  const openFrom = (text: string) => {
    const route = routeFromActivation(text)
    if (route === null) show()
    else open(route)
  }
  if (platform === 'win32') {
    system.handleActivation(({ type, arguments: text }) => {
      if (type === 'click') openFrom(text)
    })
  }
  if (platform === 'darwin') {
    for (const notification of await system.getHistory()) {
      notification.on('click', () => openFrom(notification.id))
    }
  }
}
