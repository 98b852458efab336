import type { NativeImage } from 'electron'
import * as z from 'zod/mini'
import type { HandlersOf } from '#/main/ipc'
import { createRateLimiter } from '#/main/rate-limit'
import { texts } from '#/main/texts'
import type { Schedule } from '#/main/timers'
import { NOTICE_OWNER, type Notice, type NotificationAnswer, SENT_AT } from '#/shared/bridge'
import { type NoticeContext, shouldShowNotice } from '#/shared/notice-filter'
import { type NoticeContent, redactNotice } from '#/shared/notice-privacy'
import { type AppRoute, parseRoute, routePath, screenOf } from '#/shared/routes'
import type { Attention } from './attention'
import type { NotificationPictures } from './notification-pictures'
import { groupKey, type NotificationContent, summarize } from './notification-policy'
import type {
  NotificationListener,
  SystemNotificationOptions,
  SystemNotifications,
} from './system-notifications'
import { toastXml } from './windows-toast'

/** Debounce for notices of one group, and the longest total delay, in milliseconds. */
const DEBOUNCE_MS = 700
const MAX_DELAY_MS = 3_000
/** How many notice ids are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED_IDS = 1_000
/** Rate limit for notifications on screen. Notices above it wait and are combined with later ones. */
const SHOW_LIMIT = { calls: 6, everyMs: 5_000 }
/** Limits on pending groups and their notices, so that a compromised page cannot create any number of them. */
const MAX_GROUPS = 40
const MAX_PENDING = 2_000

export interface NotificationParts {
  system: Pick<SystemNotifications, 'isSupported' | 'show' | 'removeEarlier'>
  platform: NodeJS.Platform
  context(): NoticeContext
  /** How much of a notice may be shown now. */
  shows(): NoticeContent
  /** Shows the window at the route. */
  open(route: AppRoute): void
  attention: Attention
  pictures: NotificationPictures
  /** Tells the page to take the pending answers. */
  answered(): void
  schedule: Schedule
  now(): number
}

/** Limit on answers that wait for the page. */
const MAX_ANSWERS = 100

/** A notification on screen, with the ids of its notices, and of a conversation its newest message. */
interface Shown {
  group: string
  until: Until
  /** Path of the screen that it opens. */
  path: string
  ids: Set<string>
  remove(): void
}

export interface Notifications {
  handlers: HandlersOf<'notifications'>
  /** Adopts a notification of an earlier run that is still on screen. */
  restored(about: Activation, remove: () => void): void
  /** The member answered a notification of this or an earlier run. */
  answer(about: Activation, reply: string | null): void
}

interface PendingGroup {
  notices: Notice[]
  since: number
  cancel(): void
}

/** What a notification is about, and whom it is for. */
type About = Pick<Notice, 'id' | 'sentAt' | 'owner'>

/**
 * The notification id contains the route, when its message was sent, and whom it is for: after a restart the id is all that the
 * system passes back, and another member may be signed in, on another server.
 */
function idFor(route: AppRoute, { id, sentAt = '', owner = '' }: About): string {
  return `${routePath(route)}#${[id, sentAt, owner].join('@').replace(/@+$/, '')}`
}

/** The route a notification opens, and its latest notice. */
export interface Activation extends About {
  route: AppRoute
}

type Until = NotificationAnswer['until']

function untilOf({ id, sentAt }: Pick<Notice, 'id' | 'sentAt'>): Until {
  return sentAt === undefined ? null : { created_at: sentAt, id }
}

/** The later message. Times of one server compare as text. */
function laterOf(one: Until, other: Until): Until {
  if (one === null || other === null) return one ?? other
  const [a, b] = [one, other].map(({ created_at, id }) => `${created_at} ${id}`)
  return (a ?? '') < (b ?? '') ? other : one
}

/** Finds a notification id in the text that the system passed back; null if it contains none. */
export function parseActivation(text: string): Activation | null {
  let decoded = text
  try {
    decoded = decodeURIComponent(text)
  } catch {
    // The text was not encoded.
  }
  const [, path, about = ''] = /(?:^|[=;&|\s"])(\/[^#;|\s"]*)#([^&;|\s"]*)/.exec(decoded) ?? []
  const route = path === undefined ? null : parseRoute(path)
  const [id = '', sentAt = '', owner = ''] = about.split('@')
  if (route === null) return null
  return { route, id, ...(SENT_AT.test(sentAt) && { sentAt }), ...(NOTICE_OWNER.test(owner) && { owner }) }
}

/**
 * Options on systems that support them: grouping by conversation, post or story, and for messages a reply and 'Mark as
 * Read'.
 */
function groupOptions(
  { title, route }: NotificationContent,
  platform: NodeJS.Platform,
): Partial<SystemNotificationOptions> {
  if (platform !== 'darwin' && platform !== 'win32') return {}
  if (route.page === 'post' || route.page === 'story') return { groupId: route.id }
  if (route.page !== 'conversation') return {}
  const group = { groupId: route.id, groupTitle: title }
  // On Windows the toast XML defines the rest.
  if (platform === 'win32') return group
  return {
    ...group,
    hasReply: true,
    replyPlaceholder: texts.notices.reply,
    actions: [{ type: 'button', text: texts.notices.markAsRead }],
  }
}

/**
 * Shows system notifications. Each notice is shown once, if the member wants it, and bursts are combined. A click opens
 * the notice's route, also from the notification centre after a restart. Notifications are removed once their notices
 * are read.
 */
export function createNotifications(parts: NotificationParts): Notifications {
  const { system, platform, pictures, attention, schedule, now } = parts
  const seenIds = new Set<string>()
  const shown = new Set<Shown>()
  const answers: NotificationAnswer[] = []
  const answeredIds = new Set<string>()
  const pendingGroups = new Map<string, PendingGroup>()
  const limiter = createRateLimiter(SHOW_LIMIT, now)

  function flush(group: string, pending: PendingGroup): void {
    // The member may have opened the app during the delay.
    const [first, ...others] = pending.notices.filter((notice) => shouldShowNotice(notice, parts.context()))
    if (first !== undefined && !limiter.take()) {
      pending.cancel = schedule(limiter.wait(), () => flush(group, pending))
      return
    }
    pendingGroups.delete(group)
    if (first === undefined) return
    showGroup(group, [first, ...others])
    if (first.kind === 'message') attention.request()
  }

  function showGroup(group: string, notices: [Notice, ...Notice[]]): void {
    const [first] = notices
    const shows = parts.shows()
    const content = summarize(notices, shows)
    const path = routePath(screenOf(content.route))
    // Linux does not group notifications, so a new notification about a conversation, post or story replaces the old one.
    if (platform === 'linux') removeWhere((other) => other.group === group && other.path === path)
    const latest = notices.map(untilOf).reduce(laterOf)
    const { owner } = first
    const about = latest === null ? first : { id: latest.id, sentAt: latest.created_at, owner }
    const ids = new Set(notices.map(({ id }) => id))
    const entry: Shown = { group, until: latest, path, ids, remove: () => undefined }
    shown.add(entry)
    const icon = pictures.image(redactNotice(notices.at(-1) ?? first, shows).icon)
    if (platform !== 'win32' || icon === null) {
      present(entry, content, about, icon, null)
      return
    }
    void pictures.write(icon).then((picture) => {
      // Skip it if it was dismissed while the picture was written.
      if (shown.has(entry)) present(entry, content, about, icon, picture)
    })
  }

  function present(
    entry: Shown,
    content: NotificationContent,
    notice: About,
    icon: NativeImage | null,
    picture: string | null,
  ): void {
    const id = idFor(content.route, notice)
    const about = { route: content.route, id: notice.id, sentAt: notice.sentAt, owner: notice.owner }
    entry.remove = system.show({
      id,
      title: content.title,
      body: content.body,
      ...(icon !== null && { icon }),
      ...groupOptions(content, platform),
      ...(platform === 'win32' && { toastXml: toastXml(content, { id, picture }) }),
      clicked: () => parts.open(content.route),
      // On Windows, answers of all runs arrive through `onEarlier`.
      ...(platform === 'darwin' && {
        replied: (text: string) => answer(about, text),
        actionChosen: () => answer(about, null),
      }),
      closed: () => shown.delete(entry),
    })
  }

  function removeWhere(matches: (entry: Shown) => boolean): void {
    for (const entry of [...shown].filter(matches)) {
      shown.delete(entry)
      entry.remove()
    }
    if (![...shown].some(({ group }) => group.startsWith('message'))) attention.release()
  }

  function answer({ route, ...notice }: Activation, reply: string | null): void {
    const { owner = null } = notice
    const id = `${notice.id} ${owner}`
    const text = reply?.trim() ?? null
    // Windows may deliver an answer twice: to the running app and to its activator.
    if (route.page !== 'conversation' || text === '' || answeredIds.has(id)) return
    if (answers.length >= MAX_ANSWERS) return
    remember(answeredIds, id)
    // All notifications of the conversation disappear, so their messages are read.
    const key = `message ${routePath(route)}`
    const until = [...shown].filter(({ group }) => group === key).map((entry) => entry.until)
    answers.push({
      conversationId: route.id,
      reply: text,
      until: until.reduce(laterOf, untilOf(notice)),
      owner,
    })
    parts.answered()
    removeWhere(({ group }) => group === key)
  }

  /** Removes read notices from the screen and from the pending groups. */
  function dismiss(ids: readonly string[]): void {
    for (const id of ids) remember(seenIds, id)
    const read = new Set(ids)
    for (const [group, pending] of pendingGroups) {
      pending.notices = pending.notices.filter(({ id }) => !read.has(id))
      if (pending.notices.length > 0) continue
      pending.cancel()
      pendingGroups.delete(group)
    }
    for (const entry of shown) for (const id of ids) entry.ids.delete(id)
    removeWhere((entry) => entry.ids.size === 0)
  }

  /** After signing out, nothing of the member stays on screen or pending. */
  function dismissAll(): void {
    for (const pending of pendingGroups.values()) pending.cancel()
    pendingGroups.clear()
    answers.length = 0
    removeWhere(() => true)
    system.removeEarlier()
    if (platform === 'win32') void pictures.clear()
  }

  function enqueue(notice: Notice): void {
    const group = groupKey(notice)
    const previous = pendingGroups.get(group)
    if (previous === undefined && pendingGroups.size >= MAX_GROUPS) return
    previous?.cancel()
    // Only the picture of the latest is shown.
    const earlier = (previous?.notices ?? []).slice(1 - MAX_PENDING).map(({ icon: _former, ...each }) => each)
    const pending: PendingGroup = {
      notices: [...earlier, notice],
      since: previous?.since ?? now(),
      cancel: () => undefined,
    }
    const delay = Math.max(0, Math.min(DEBOUNCE_MS, pending.since + MAX_DELAY_MS - now()))
    pending.cancel = schedule(delay, () => flush(group, pending))
    pendingGroups.set(group, pending)
  }

  return {
    answer,
    restored: ({ route, id, sentAt }, remove) => {
      const group = route.page === 'conversation' ? `message ${routePath(route)}` : 'earlier'
      shown.add({ group, until: untilOf({ id, sentAt }), path: routePath(route), ids: new Set([id]), remove })
    },
    handlers: {
      'notifications.show': (notice) => {
        if (!system.isSupported() || seenIds.has(notice.id)) return
        remember(seenIds, notice.id)
        if (shouldShowNotice(notice, parts.context())) enqueue(notice)
      },
      'notifications.dismiss': (ids) => {
        if (ids === null) dismissAll()
        else dismiss(ids)
      },
      'notifications.shown': () => [...shown].flatMap(({ ids }) => [...ids]).slice(-MAX_ANSWERS),
      'notifications.takeAnswers': () => answers.splice(0),
    },
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  if (ids.size > MAX_REMEMBERED_IDS) ids.delete(ids.values().next().value ?? '')
}

/** macOS: the launch info of the `ready` event (Electron's NotificationResponse). */
const launchSchema = z.object({
  identifier: z.string(),
  actionIdentifier: z.string(),
  userText: z.optional(z.string()),
})

/** Handles the notification that started the app, using Electron's action names on macOS. */
function handleLaunch(launchInfo: unknown, listener: NotificationListener): void {
  const launch = launchSchema.safeParse(launchInfo)
  if (!launch.success) return
  const { identifier, actionIdentifier, userText = '' } = launch.data
  if (actionIdentifier === 'REPLY_ACTION') listener.replied(identifier, userText)
  else if (actionIdentifier.startsWith('ACTION_')) listener.actionChosen(identifier)
  else listener.clicked(identifier)
}

export interface EarlierParts extends Pick<Notifications, 'answer' | 'restored'> {
  open(route: AppRoute): void
  show(): void
  /** The launch info of Electron's `ready` event. */
  launchInfo: unknown
}

/**
 * Handles notifications that this run did not show, including the one that started the app. Windows also reports clicks
 * on those of this run, which have their own listener, so an id without a route only shows the window.
 */
export function handleEarlierNotifications(
  system: Pick<SystemNotifications, 'onEarlier'>,
  { open, show, answer, restored, launchInfo }: EarlierParts,
): void {
  const withActivation = (identifier: string, act: (about: Activation) => void, otherwise = () => {}) => {
    const about = parseActivation(identifier)
    if (about === null) otherwise()
    else act(about)
  }
  const listener: NotificationListener = {
    clicked: (identifier) => withActivation(identifier, ({ route }) => open(route), show),
    replied: (identifier, text) => withActivation(identifier, (about) => answer(about, text)),
    actionChosen: (identifier) => withActivation(identifier, (about) => answer(about, null)),
    restored: (identifier, remove) => withActivation(identifier, (about) => restored(about, remove)),
  }
  system.onEarlier(listener)
  handleLaunch(launchInfo, listener)
}
