import { extname } from 'node:path'
import type { Session } from 'electron'
import type { Log } from '#/main/log'
import { createRateLimiter } from '#/main/rate-limit'
import type { PageOrigin } from '#/main/server/origin'
import type { RateLimit } from '#/shared/bridge'

/** Each download opens a save dialog. */
const LIMIT: RateLimit = { calls: 3, everyMs: 10_000 }

export interface DownloadParts {
  session: Pick<Session, 'on'>
  origin: Pick<PageOrigin, 'name'>
  /** Milliseconds from any fixed point. */
  now(): number
  log: Pick<Log, 'warn'>
}

/**
 * Allows one kind of download: a zip that the page itself created ('Download my data'), one at a time. Everything else
 * is refused, because a download writes to the member's disk.
 */
export function setupDownloads({ session, origin, now, log }: DownloadParts): void {
  const limiter = createRateLimiter(LIMIT, now)
  let isSaving = false
  session.on('will-download', (event, item) => {
    const isOurs =
      item.getURL().startsWith(`blob:${origin.name}/`) && extname(item.getFilename()).toLowerCase() === '.zip'
    if (!isOurs || isSaving || !limiter.take()) {
      event.preventDefault()
      log.warn('download refused')
      return
    }
    isSaving = true
    item.once('done', () => {
      isSaving = false
    })
  })
}
