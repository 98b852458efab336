import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import electronLog from 'electron-log/node'
import { redact } from './redact'

export type LogLevel = 'info' | 'warn' | 'error'

/** The app's log: a line, and what caused it. Tokens, keys and passwords are taken out; never pass a member's texts. */
export type Log = Record<LogLevel, (line: string, cause?: unknown) => void>

const MAX_FILE_BYTES = 2 * 1024 * 1024

function inWords(cause: unknown): string {
  if (cause instanceof Error) return cause.stack ?? `${cause.name}: ${cause.message}`
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 2 })
}

/** A log that gives finished lines to `write`. */
export function createLog(write: (level: LogLevel, line: string) => void): Log {
  const at = (level: LogLevel) => (line: string, cause?: unknown) =>
    write(level, redact(cause === undefined ? line : `${line}: ${inWords(cause)}`))
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * Writes to main.log in the folder, two megabytes at most beside one older file. electron-log's Node build, since its
 * main build listens on an IPC channel that checks no sender.
 */
export function setupLog(directory: string): Log {
  const { file, console } = electronLog.transports
  file.resolvePathFn = () => join(directory, 'main.log')
  file.maxSize = MAX_FILE_BYTES
  file.level = 'info'
  // Nothing waits for the disk: not the page whose lines come here, nor its windows.
  file.sync = false
  console.level = 'warn'
  return createLog((level, line) => electronLog[level](line))
}

/** electron-log's file as far as it tells what it has not written yet; its types leave that out. */
interface Writer {
  readonly hasActiveAsyncWriting: boolean
  readonly asyncWriteQueue: readonly string[]
}

/** Resolves when every line so far is on disk: what the app says last is often what one wants to know. */
export async function logWritten(): Promise<void> {
  const writer = electronLog.transports.file.getFile() as unknown as Writer
  while (writer.hasActiveAsyncWriting || writer.asyncWriteQueue.length > 0) await setImmediate()
}
