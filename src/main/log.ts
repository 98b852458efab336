import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import electronLog from 'electron-log/node'
import { redact } from './redact'

export type LogLevel = 'info' | 'warn' | 'error'

/**
 * The app's log: a message and an optional cause. Tokens, keys and passwords are redacted; never log what members
 * wrote.
 */
export type Log = Record<LogLevel, (line: string, cause?: unknown) => void>

const MAX_FILE_BYTES = 2 * 1024 * 1024

function describeCause(cause: unknown): string {
  if (cause instanceof Error) return cause.stack ?? `${cause.name}: ${cause.message}`
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 2 })
}

/** Creates a log that passes formatted, redacted lines to `write`. */
export function createLog(write: (level: LogLevel, line: string) => void): Log {
  const at = (level: LogLevel) => (line: string, cause?: unknown) =>
    write(level, redact(cause === undefined ? line : `${line}: ${describeCause(cause)}`))
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * Writes to main.log in `directory`: at most 2 MB, plus one rotated file. Uses electron-log's Node build, because its
 * main build listens on an IPC channel that checks no sender.
 */
export function setupLog(directory: string): Log {
  const { file, console } = electronLog.transports
  file.resolvePathFn = () => join(directory, 'main.log')
  file.maxSize = MAX_FILE_BYTES
  file.level = 'info'
  // Do not block the main process on disk writes.
  file.sync = false
  console.level = 'warn'
  return createLog((level, line) => electronLog[level](line))
}

/** Properties of electron-log's file that its types omit. */
interface Writer {
  readonly hasActiveAsyncWriting: boolean
  readonly asyncWriteQueue: readonly string[]
}

/** Resolves when every line so far is on disk. The last lines before an exit are often the important ones. */
export async function flushLog(): Promise<void> {
  const writer = electronLog.transports.file.getFile() as unknown as Writer
  while (writer.hasActiveAsyncWriting || writer.asyncWriteQueue.length > 0) await setImmediate()
}
