import type { DesktopBridge } from '#/shared/bridge'
import { AppError } from './errors'

type Level = 'info' | 'warn' | 'error'
type Sink = (level: Level, line: string) => void

let sink: Sink = () => undefined

/** Sends what is logged to the host's log as well. */
export function connectLogger(desktop: DesktopBridge): void {
  sink = (level, line) => {
    desktop.log.write(level, line).catch(() => undefined)
  }
}

function wordsOf(cause: unknown): string {
  if (cause instanceof AppError) return `${cause.code} ${cause.detail}`
  if (cause instanceof Error) return `${cause.name}: ${cause.message}`
  return String(cause)
}

/**
 * Writes down what went wrong where the spec says 'only logged': what was tried and why it failed. Never pass what
 * a member wrote, nor a token; `AppError` carries codes, not contents.
 */
export function logFailure(what: string, cause: unknown): void {
  sink('error', `${what}: ${wordsOf(cause)}`)
}

/** For what is begun and not waited for: should it fail, that is written down. */
export function logIfFails(what: string, work: Promise<unknown>): void {
  work.catch((cause: unknown) => logFailure(what, cause))
}
