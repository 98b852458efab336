import type { NativeImage } from 'electron'
import * as z from 'zod/mini'
import type { Notice, NotificationAnswer } from '#/shared/bridge'
import { type AppRoute, parseRoute, routePath } from '#/shared/routes'
import { isWanted, type NoticeMoment } from '#/shared/wanted-notices'
import type { Attention } from './attention'
import type { HandlersOf } from './ipc'
import type { NotificationPictures } from './notification-pictures'
import { groupOf, type Told, tellingOf } from './notification-policy'
import { createRateLimiter } from './rate-limit'
import type { EarlierNotifications, NotificationContent, SystemNotifications } from './system-notifications'
import { texts } from './texts'
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
  system: Pick<SystemNotifications, 'isSupported' | 'show' | 'removeEarlier'>
  platform: NodeJS.Platform
  moment(): NoticeMoment
  /** Brings the window up on the route. */
  open(route: AppRoute): void
  /** Points to a message that was notified, if the member does not look. */
  attention: Attention
  pictures: NotificationPictures
  /** Tells the page that an answer waits for it. */
  answered(): void
  schedule: Schedule
  now(): number
}

/** Answers that wait for a page, at most. */
const MOST_ANSWERS = 100

/** A notification on screen, and the events it is about. */
interface Shown {
  group: string
  ids: Set<string>
  remove(): void
}

export interface Notifications {
  handlers: HandlersOf<'notifications'>
  /** A notification of an earlier run that the system still shows. */
  found(about: Activation, remove: () => void): void
  /** The member answered a notification, of this run or an earlier one. */
  answer(about: Activation, reply: string | null): void
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

/** What a notification is about: where it leads, and the event. */
export interface Activation {
  route: AppRoute
  id: string
}

/** What the system handed back is about, wherever in it the id stands; null when there is none of ours. */
export function readActivation(text: string): Activation | null {
  let decoded = text
  try {
    decoded = decodeURIComponent(text)
  } catch {
    // Not encoded then.
  }
  const [, path, id = ''] = /(?:^|[=;&|\s"])(\/[^#;|\s"]*)#([^&;|\s"]*)/.exec(decoded) ?? []
  const route = path === undefined ? null : parseRoute(path)
  return route === null ? null : { route, id }
}

/** What the systems that have it offer on a message: grouping by conversation, a reply and 'Mark as Read'. */
function conversationOptions(
  { title, route }: Told,
  platform: NodeJS.Platform,
): Partial<NotificationContent> {
  if (route.page !== 'conversation' || (platform !== 'darwin' && platform !== 'win32')) return {}
  const group = { groupId: route.id, groupTitle: title }
  // Windows has the rest in its XML.
  if (platform === 'win32') return group
  return {
    ...group,
    hasReply: true,
    replyPlaceholder: texts.notices.reply,
    actions: [{ type: 'button', text: texts.notices.markAsRead }],
  }
}

/**
 * The system's notifications: each event is told once, if its member wants it now, and a burst becomes one. A click
 * leads to what it is about, also out of the notification centre of an earlier run. What was read is removed.
 */
export function createNotifications(parts: NotificationParts): Notifications {
  const { system, platform, pictures, attention, schedule, now } = parts
  const told = new Set<string>()
  const shown = new Set<Shown>()
  const answers: NotificationAnswer[] = []
  const answeredIds = new Set<string>()
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
    put(group, [first, ...others])
    if (first.kind === 'message') attention.request()
  }

  function put(group: string, notices: [Notice, ...Notice[]]): void {
    const [first] = notices
    // Nothing groups notifications on Linux, so the latest of a conversation replaces the one before.
    if (platform === 'linux' && first.kind === 'message') removeWhere((other) => other.group === group)
    const entry: Shown = { group, ids: new Set(notices.map(({ id }) => id)), remove: () => undefined }
    shown.add(entry)
    const content = tellingOf(notices)
    const icon = pictures.image(notices.at(-1)?.icon)
    if (platform !== 'win32' || icon === null) {
      present(entry, content, first.id, icon, null)
      return
    }
    void pictures.write(icon).then((picture) => {
      // Read meanwhile.
      if (shown.has(entry)) present(entry, content, first.id, icon, picture)
    })
  }

  function present(
    entry: Shown,
    told: Told,
    noticeId: string,
    icon: NativeImage | null,
    picture: string | null,
  ): void {
    const id = idFor(told.route, noticeId)
    const about = { route: told.route, id: noticeId }
    entry.remove = system.show({
      id,
      title: told.title,
      body: told.body,
      ...(icon !== null && { icon }),
      ...conversationOptions(told, platform),
      ...(platform === 'win32' && { toastXml: toastXml(told, { id, picture }) }),
      clicked: () => parts.open(told.route),
      // Windows tells of answers in one place, whichever run showed the notification.
      ...(platform === 'darwin' && {
        replied: (text: string) => answer(about, text),
        acted: () => answer(about, null),
      }),
      gone: () => shown.delete(entry),
    })
  }

  function removeWhere(isMeant: (entry: Shown) => boolean): void {
    for (const entry of [...shown].filter(isMeant)) {
      shown.delete(entry)
      entry.remove()
    }
    if (![...shown].some(({ group }) => group.startsWith('message'))) attention.release()
  }

  function answer({ route, id }: Activation, reply: string | null): void {
    const text = reply?.trim() ?? null
    // Windows may tell of one answer twice: to the running app and to its activator.
    if (route.page !== 'conversation' || text === '' || answeredIds.has(id)) return
    if (answers.length >= MOST_ANSWERS) return
    remember(answeredIds, id)
    answers.push({ conversationId: route.id, reply: text })
    parts.answered()
    removeWhere(({ group }) => group === `message ${routePath(route)}`)
  }

  /** These were read: neither shown any longer nor later. */
  function dismiss(ids: readonly string[]): void {
    for (const id of ids) remember(told, id)
    const read = new Set(ids)
    for (const [group, gathering] of gatherings) {
      gathering.notices = gathering.notices.filter(({ id }) => !read.has(id))
      if (gathering.notices.length > 0) continue
      gathering.cancel()
      gatherings.delete(group)
    }
    for (const entry of shown) for (const id of ids) entry.ids.delete(id)
    removeWhere((entry) => entry.ids.size === 0)
  }

  /** The member signed out: nothing of theirs stays on screen or waits. */
  function dismissAll(): void {
    for (const gathering of gatherings.values()) gathering.cancel()
    gatherings.clear()
    answers.length = 0
    removeWhere(() => true)
    system.removeEarlier()
    if (platform === 'win32') void pictures.clear()
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
    answer,
    found: ({ route, id }, remove) => {
      const group = route.page === 'conversation' ? `message ${routePath(route)}` : 'earlier'
      shown.add({ group, ids: new Set([id]), remove })
    },
    handlers: {
      'notifications.show': (notice) => {
        if (!system.isSupported() || told.has(notice.id)) return
        remember(told, notice.id)
        if (isWanted(notice, parts.moment())) gather(notice)
      },
      'notifications.dismiss': (ids) => {
        if (ids === null) dismissAll()
        else dismiss(ids)
      },
      'notifications.shown': () => [...shown].flatMap(({ ids }) => [...ids]).slice(-MOST_ANSWERS),
      'notifications.takeAnswers': () => answers.splice(0),
    },
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  if (ids.size > REMEMBERED) ids.delete(ids.values().next().value ?? '')
}

/** macOS: what `ready` tells of the notification that started the app (Electron's NotificationResponse). */
const launchSchema = z.object({
  identifier: z.string(),
  actionIdentifier: z.string(),
  userText: z.optional(z.string()),
})

/** Passes on what was done in the notification that started the app, with the names that Electron gives to its actions on macOS. */
function tellOfLaunch(launchInfo: unknown, listener: EarlierNotifications): void {
  const launch = launchSchema.safeParse(launchInfo)
  if (!launch.success) return
  const { identifier, actionIdentifier, userText = '' } = launch.data
  if (actionIdentifier === 'REPLY_ACTION') listener.replied(identifier, userText)
  else if (actionIdentifier.startsWith('ACTION_')) listener.acted(identifier)
  else listener.clicked(identifier)
}

export interface EarlierParts extends Pick<Notifications, 'answer' | 'found'> {
  open(route: AppRoute): void
  show(): void
  /** What Electron's `ready` event told. */
  launchInfo: unknown
}

/**
 * Follows notifications that this run did not show: after a restart, or that started the app. Windows also reports clicks on
 * those of this run, which have their own listener, so an id without a route only shows the window.
 */
export function followEarlierNotifications(
  system: Pick<SystemNotifications, 'onEarlier'>,
  { open, show, answer, found, launchInfo }: EarlierParts,
): void {
  const withActivation = (identifier: string, act: (about: Activation) => void, otherwise = () => {}) => {
    const about = readActivation(identifier)
    if (about === null) otherwise()
    else act(about)
  }
  const listener: EarlierNotifications = {
    clicked: (identifier) => withActivation(identifier, ({ route }) => open(route), show),
    replied: (identifier, text) => withActivation(identifier, (about) => answer(about, text)),
    acted: (identifier) => withActivation(identifier, (about) => answer(about, null)),
    found: (identifier, remove) => withActivation(identifier, (about) => found(about, remove)),
  }
  system.onEarlier(listener)
  tellOfLaunch(launchInfo, listener)
}
