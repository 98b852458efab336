import type { App, MessageBoxOptions, WebContents } from 'electron'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import { texts } from './texts'

/** A page that dies again within this time is not helped by loading it once more. */
const AGAIN_MS = 30_000

/** The buttons of the dialog about a page that does not respond. */
const WAIT = 0
const RELOAD = 1

export interface RecoveryParts {
  /** Milliseconds, from any fixed point. */
  now(): number
  /** Loads the page again; it may ask that it was. */
  reload(): void
  /** Tells the member and ends. */
  giveUp(): void
  /** Whether the member can see the window, and so a dialog on it. */
  isVisible(): boolean
  /** Shows a dialog on the window and resolves with the index of its button. */
  ask(options: MessageBoxOptions): Promise<number>
  log: Pick<Log, 'warn' | 'error'>
}

type Contents = Pick<WebContents, 'on' | 'forcefullyCrashRenderer'>

/**
 * Loads the page again when its process dies, once; the log gets what Chromium says about both. While the page does not respond,
 * a dialog offers to wait or to reload.
 */
export function setupRendererRecovery(
  contents: Contents,
  { now, reload, giveUp, log, ...parts }: RecoveryParts,
): HandlersOf<'recovery'> {
  let wasReloaded = false
  let last = Number.NEGATIVE_INFINITY
  let isEndedByMember = false
  let question: AbortController | null = null

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    question?.abort()
    if (reason === 'clean-exit') return
    log.error(`page gone: ${reason} (${exitCode})`)
    const isAgain = !isEndedByMember && now() - last < AGAIN_MS
    if (!isEndedByMember) last = now()
    isEndedByMember = false
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

  async function askToReload(): Promise<void> {
    const asked = new AbortController()
    question = asked
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
        signal: asked.signal,
      })
      if (answer !== RELOAD || asked.signal.aborted) return
      // A hanging process would not unload its page. The page loads again once the process is gone.
      isEndedByMember = true
      contents.forcefullyCrashRenderer()
    } finally {
      if (question === asked) question = null
    }
  }
  contents.on('unresponsive', () => {
    log.warn('page does not respond')
    if (question !== null || !parts.isVisible()) return
    askToReload().catch((cause: unknown) => log.error('dialog not shown', cause))
  })
  contents.on('responsive', () => {
    log.warn('page responds again')
    question?.abort()
  })
  return {
    'recovery.take': () => {
      const was = wasReloaded
      wasReloaded = false
      return was
    },
  }
}

/** Logs why one of Chromium's other processes ended: GPU, network, audio or the backend. Chromium starts its own again. */
export function logGoneProcesses(app: Pick<App, 'on'>, log: Pick<Log, 'warn' | 'error'>): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason === 'clean-exit') return
    const line = `process gone: ${name ?? serviceName ?? type}, ${reason} (${exitCode})`
    // What the app or the system ends on purpose.
    if (reason === 'killed') log.warn(line)
    else log.error(line)
  })
}
