import type { Notice } from '#/shared/bridge'
import { type AppRoute, parseRoute, routePath } from '#/shared/routes'
import { isWanted, type NoticeMoment } from '#/shared/wanted-notices'
import type { Attention } from './attention'
import type { HandlersOf } from './ipc'
import { groupOf, tellingOf } from './notification-policy'
import { createRateLimiter } from './rate-limit'
import type { SystemNotifications } from './system-notifications'
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

export interface NotificationParts {
  system: Pick<SystemNotifications, 'isSupported' | 'show'>
  platform: NodeJS.Platform
  moment(): NoticeMoment
  /** Brings the window up on the route. */
  open(route: AppRoute): void
  /** Points to a message that was notified, if the member does not look. */
  attention: Pick<Attention, 'request'>
  schedule: Schedule
  now(): number
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
  const { system, platform, schedule, now } = parts
  const told = new Set<string>()
  const gatherings = new Map<string, Gathering>()
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
    const content = tellingOf([first, ...others])
    system.show({
      id: idFor(content.route, first.id),
      title: content.title,
      body: content.body,
      ...(platform === 'win32' && { toastXml: toastXml(content) }),
      clicked: () => parts.open(content.route),
    })
    if (first.kind === 'message') parts.attention.request()
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

/**
 * Listens to clicks on notifications that this run did not show: after a restart, or that started the app. Windows also
 * reports clicks on those of this run, which have their own listener, so an id without a route only shows the window.
 */
export function followEarlierNotifications(
  system: Pick<SystemNotifications, 'onEarlierClick'>,
  { open, show }: { open(route: AppRoute): void; show(): void },
): void {
  system.onEarlierClick((identifier) => {
    const route = routeFromActivation(identifier)
    if (route === null) show()
    else open(route)
  })
}
