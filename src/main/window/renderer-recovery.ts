import type { App, MessageBoxOptions, WebContents } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'

/** If the page crashes again within this time, reloading does not help. */
const CRASH_LOOP_MS = 30_000

/** Button indices of the 'does not respond' dialog. */
const WAIT = 0
const RELOAD = 1

export interface RecoveryParts {
  /** Milliseconds from any fixed point. */
  now(): number
  /** Reloads the page, which can ask for the reason with `recovery.take`. */
  reload(): void
  /** Shows an error and quits. */
  giveUp(): void
  /** Whether the window, and so a dialog on it, is visible. */
  isVisible(): boolean
  /** Shows a dialog on the window and resolves with the index of the chosen button. */
  ask(options: MessageBoxOptions): Promise<number>
  log: Pick<Log, 'warn' | 'error'>
}

type Contents = Pick<WebContents, 'on' | 'forcefullyCrashRenderer'>

/**
 * Reloads the page once when its process crashes, and quits when it crashes again soon after. While the page does not
 * respond, a dialog offers to wait or to reload.
 */
export function setupRendererRecovery(
  contents: Contents,
  { now, reload, giveUp, log, ...parts }: RecoveryParts,
): HandlersOf<'recovery'> {
  let wasReloaded = false
  let lastCrash = Number.NEGATIVE_INFINITY
  let isKilledByMember = false
  let dialog: AbortController | null = null

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    dialog?.abort()
    if (reason === 'clean-exit') return
    log.error(`page crashed: ${reason} (${exitCode})`)
    const isCrashLoop = !isKilledByMember && now() - lastCrash < CRASH_LOOP_MS
    if (!isKilledByMember) lastCrash = now()
    isKilledByMember = false
    if (isCrashLoop) giveUp()
    else {
      wasReloaded = true
      reload()
    }
  })
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    // -3 (ERR_ABORTED) means that another load replaced this one.
    if (isMainFrame && code !== -3) log.error(`page not loaded: ${description} (${code})`)
  })

  async function askToReload(): Promise<void> {
    const abort = new AbortController()
    dialog = abort
    try {
      const answer = await parts.ask({
        type: 'warning',
        title: texts.product,
        message: texts.unresponsive.title,
        detail: texts.unresponsive.body,
        buttons: [texts.unresponsive.wait, texts.unresponsive.reload],
        defaultId: WAIT,
        cancelId: WAIT,
        noLink: true,
        signal: abort.signal,
      })
      if (answer !== RELOAD || abort.signal.aborted) return
      // A hanging process cannot unload its page. `render-process-gone` then reloads it.
      isKilledByMember = true
      contents.forcefullyCrashRenderer()
    } finally {
      if (dialog === abort) dialog = null
    }
  }
  contents.on('unresponsive', () => {
    log.warn('page unresponsive')
    if (dialog !== null || !parts.isVisible()) return
    askToReload().catch((cause: unknown) => log.error('dialog not shown', cause))
  })
  contents.on('responsive', () => {
    log.warn('page responsive again')
    dialog?.abort()
  })
  return {
    'recovery.take': () => {
      const result = wasReloaded
      wasReloaded = false
      return result
    },
  }
}

/** Logs why another process of the app ended: GPU, network, audio or the backend. Chromium restarts its own. */
export function logProcessExits(app: Pick<App, 'on'>, log: Pick<Log, 'warn' | 'error'>): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason === 'clean-exit') return
    const line = `process gone: ${name ?? serviceName ?? type}, ${reason} (${exitCode})`
    // Killed on purpose by the app or the system.
    if (reason === 'killed') log.warn(line)
    else log.error(line)
  })
}
