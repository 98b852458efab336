import { create } from 'zustand'
import type { DesktopBridge } from '#/shared/bridge'
import { AppError } from './errors'

type Level = 'info' | 'warn' | 'error'
type Sink = (level: Level, line: string) => void

const useSink = create<{ write: Sink }>(() => ({ write: () => undefined }))

export function connectLogger(desktop: DesktopBridge): void {
  const write: Sink = (level, line) => void desktop.log.write(level, line).catch(() => undefined)
  useSink.setState({ write })
}

function formatCause(cause: unknown): string {
  if (cause instanceof AppError) return `${cause.code} ${cause.detail}`
  if (cause instanceof Error) return `${cause.name}: ${cause.message}`
  return String(cause)
}

/**
 * Logs a failure that docs/product.md calls 'logged': the attempted action and the cause. Never pass a member's content
 * or a token; `AppError` contains only codes.
 */
export function logFailure(what: string, cause: unknown): void {
  useSink.getState().write('error', `${what}: ${formatCause(cause)}`)
}

/** Logs a rejection of a promise that nobody awaits. */
export function logIfFails(what: string, work: Promise<unknown>): void {
  work.catch((cause: unknown) => logFailure(what, cause))
}
