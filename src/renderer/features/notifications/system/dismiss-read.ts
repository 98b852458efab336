import { isLooking, onVisibility } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { createThrottle } from '#/renderer/lib/core/schedule'
import { onCaughtUp, onIdsChange, onRowChange } from '#/renderer/lib/live'
import type { DesktopBridge } from '#/shared/bridge'
import { loadUnreadIds } from './queries'

/**
 * How often the server is checked while notifications are visible, in milliseconds: live events cover read messages but
 * not read notifications.
 */
const CHECK_MS = 60_000

/** Maximum ids per bridge call. */
const CALL_IDS = 500

export interface DismissParts {
  me: string
  host: Pick<DesktopBridge['notifications'], 'dismiss' | 'shown'>
  loadUnread?(me: string, ids: readonly string[]): Promise<string[]>
}

export interface Dismissals {
  /** Checks with the server which of the visible notifications have been read. */
  check(): void
  stop(): void
}

/** Removes system notifications of items that were read on any device, unsent or deleted. */
export function dismissRead({ me, host, loadUnread = loadUnreadIds }: DismissParts): Dismissals {
  let isOver = false
  const read = new Set<string>()
  const dismissSoon = createThrottle(() => {
    const ids = [...read]
    read.clear()
    if (isOver) return
    for (let from = 0; from < ids.length; from += CALL_IDS)
      host
        .dismiss(ids.slice(from, from + CALL_IDS))
        .catch((cause: unknown) => logFailure('dismiss notifications', cause))
  })
  const checkShown = async () => {
    const shown = await host.shown()
    if (shown.length === 0) return
    const unread = new Set(await loadUnread(me, shown))
    const gone = shown.filter((id) => !unread.has(id))
    if (gone.length > 0 && !isOver) await host.dismiss(gone)
  }
  const check = () => {
    if (!isOver) checkShown().catch((cause: unknown) => logFailure('check notifications', cause))
  }

  // A message that got read, or the own view, tells that the mark has moved.
  const checkSoon = createThrottle(check)
  const ignoreViews = onRowChange('conversation_views', checkSoon)
  const ignoreMessages = onRowChange('messages', ({ kind, row }) => {
    if (kind !== 'update' || row.sender_id === me || (!row.read && row.deleted_at === null)) return
    read.add(row.id)
    dismissSoon()
  })
  const ignoreDeletions = onIdsChange('notifications', ({ ids }) => {
    for (const id of ids) read.add(id)
    dismissSoon()
  })
  const ignoreGaps = onCaughtUp(check)
  const ignoreWindow = onVisibility(() => {
    if (isLooking()) check()
  })
  const timer = setInterval(check, CHECK_MS)
  // A previous run or page may have shown some.
  check()
  return {
    check,
    stop: () => {
      isOver = true
      ignoreViews()
      ignoreMessages()
      ignoreDeletions()
      ignoreGaps()
      ignoreWindow()
      clearInterval(timer)
    },
  }
}
