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
import { createRateLimiter } from './rate-limit'
import type { Schedule } from './timers'
import { toastXml } from './windows-toast'

/** How long the next notice of a group is waited for, and how long all of them together; both in milliseconds. */
const GATHER_MS = 700
const GATHER_LIMIT_MS = 3_000
/** As many as a busy day may bring; older ones are forgotten. */
const REMEMBERED = 1_000
/** No more than these are shown; what is over waits and becomes one with what comes meanwhile. */
const SHOWN = { calls: 6, everyMs: 5_000 }
/** Groups that wait, besides conversations there are five; a page that makes up more is not believed. */
const MOST_GROUPS = 40

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
  notices: Notice[]
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
  const limiter = createRateLimiter(SHOWN, now)

  function tell(group: string, gathering: Gathering): void {
    // While it was gathered the member may have come to look.
    const [first, ...others] = gathering.notices.filter((notice) => isWanted(notice, parts.moment()))
    if (first !== undefined && !limiter.take()) {
      gathering.cancel = schedule(limiter.wait(), () => tell(group, gathering))
      return
    }
    gatherings.delete(group)
    if (first === undefined) return
    const what = tellingOf([first, ...others])
    show(idFor(what.route, first.id), what, platform === 'win32')
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
    if (before === undefined && gatherings.size >= MOST_GROUPS) return
    before?.cancel()
    const gathering: Gathering = {
      notices: [...(before?.notices ?? []), notice],
      since: before?.since ?? now(),
      cancel: () => undefined,
    }
    const patience = Math.max(0, Math.min(GATHER_MS, gathering.since + GATHER_LIMIT_MS - now()))
    gathering.cancel = schedule(patience, () => tell(group, gathering))
    gatherings.set(group, gathering)
  }

  return {
    'notifications.show': (notice) => {
      if (!system.isSupported() || told.has(notice.id)) return
      told.add(notice.id)
      if (told.size > REMEMBERED) told.delete(told.values().next().value ?? '')
      if (isWanted(notice, parts.moment())) gather(notice)
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
