import type { WebContents } from 'electron'
import type { HandlersOf } from './ipc'
import type { Log } from './log'

/** A page that dies again within this time is not helped by loading it once more. */
const AGAIN_MS = 30_000

export interface RecoveryParts {
  /** Milliseconds, from any fixed point. */
  now(): number
  /** Loads the page again; it may ask that it was. */
  reload(): void
  /** Tells the member and ends. */
  giveUp(): void
  log: Pick<Log, 'warn' | 'error'>
}

/** Loads the page again when its process dies, once; the log gets what Chromium says about both. */
export function setupRendererRecovery(
  contents: Pick<WebContents, 'on'>,
  { now, reload, giveUp, log }: RecoveryParts,
): HandlersOf<'recovery'> {
  let wasReloaded = false
  let last = Number.NEGATIVE_INFINITY
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log.error(`page gone: ${reason} (${exitCode})`)
    const isAgain = now() - last < AGAIN_MS
    last = now()
    if (isAgain) giveUp()
    else {
      wasReloaded = true
      reload()
    }
  })
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    // -3 is a load that another one replaced.
    if (isMainFrame && code !== -3) log.error(`page not loaded: ${description} (${code})`)
  })
  contents.on('unresponsive', () => log.warn('page does not respond'))
  return {
    'recovery.take': () => {
      const was = wasReloaded
      wasReloaded = false
      return was
    },
  }
}
