import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { connection } from '#/renderer/lib/live'
import { sessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { texts } from '#/renderer/lib/texts'

/** Whether a request failed for lack of a connection, as far as the app knows: not for a single lost response. */
export function isKnownOffline(cause: unknown): boolean {
  if (!(cause instanceof AppError) || cause.code !== 'offline') return false
  return (
    connection.getState().state === 'lost' ||
    sessionStatus.getState().status !== 'confirmed' ||
    globalThis.navigator?.onLine === false
  )
}

/** Says that an action needs the connection, if it failed for that reason (FEED-18). */
export function showIfOffline(cause: unknown): void {
  if (isKnownOffline(cause)) showToast({ text: texts.connection.needed })
}
