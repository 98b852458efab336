import { BackendError } from '#/backend/backend-error'
import type { DataFolder } from '#/backend/storage/data-folder'
import type { Secrets } from '#/backend/storage/secrets'
import type { BackendFailure, BackendLogLevel } from '#/shared/backend-messages'
import type { DatabaseErrorFields } from './database-error'

/** What the database thread needs to open or reopen a data folder. */
export interface OpenAsk {
  folder: DataFolder
  migrationsDir: string
  templateDir: string
  /** The demo community's pictures. */
  assetsDir: string
  secrets: Secrets
  siteUrl: string
  /** Whether a new data folder gets the demo community. */
  demo: boolean
  /** Whether to restore the newest snapshot. */
  restore: boolean
  /** PGlite's WebAssembly, if an earlier thread has compiled it. */
  wasmModule: WebAssembly.Module | null
  /** Set when an earlier thread has prepared this folder: migration and restore are skipped. */
  reopen: {
    /** The NOTIFY channels to listen to. */
    channels: string[]
  } | null
}

export interface OpenAnswer {
  /** With the demo's members, if they were added. */
  secrets: Secrets
  /** ISO time of the snapshot that was restored, or null. */
  restoredFrom: string | null
  wasmModule: WebAssembly.Module
}

export interface FetchAsk {
  method: string
  url: string
  headers: [string, string][]
  body: ArrayBuffer | null
  /** How much memory there is for the response, in bytes. */
  responseBytes: number
}

export interface FetchAnswer {
  status: number
  headers: [string, string][]
  body: ArrayBuffer | null
  /** The last error that the database raised for it. */
  raised: DatabaseErrorFields | null
}

/** The calls to the database thread, which answers one at a time. */
export interface ThreadCalls {
  open: { ask: OpenAsk; answer: OpenAnswer }
  /** A request to lite. */
  fetch: { ask: FetchAsk; answer: FetchAnswer }
  query: { ask: { sql: string; parameters: unknown[] }; answer: Record<string, unknown>[] }
  exec: { ask: string; answer: null }
  listen: { ask: string; answer: null }
  unlisten: { ask: string; answer: null }
  /** The data folder's files as a gzipped archive. */
  dump: { ask: null; answer: ArrayBuffer }
  close: { ask: null; answer: null }
}

export type CallName = keyof ThreadCalls

export type ToThread = {
  [Name in CallName]: { call: Name; ask: ThreadCalls[Name]['ask']; growthBytes: number }
}[CallName]

export type FromThread =
  | { type: 'answer'; answer: ThreadCalls[CallName]['answer'] }
  | { type: 'error'; error: SentError }
  | { type: 'notification'; channel: string; payload: string }
  | { type: 'log'; level: BackendLogLevel; text: string }

/** An error as it is sent to another thread: a structured clone would lose its code and fields. */
export interface SentError {
  message: string
  stack: string | undefined
  /** Of a BackendError. */
  failure: BackendFailure | null
  /** `code`, `detail` and `hint` of PostgreSQL's errors and of Node's. */
  fields: Record<string, string>
  cause: SentError | null
}

const FIELDS = ['name', 'code', 'detail', 'hint'] as const

export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) {
    return { message: String(error), stack: undefined, failure: null, fields: {}, cause: null }
  }
  const fields = FIELDS.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? [[name, value]] : []
  })
  return {
    message: error.message,
    stack: error.stack,
    failure: error instanceof BackendError ? error.code : null,
    fields: Object.fromEntries(fields),
    cause: error.cause === undefined ? null : sendError(error.cause),
  }
}

export function receiveError({ message, stack, failure, fields, cause }: SentError): Error {
  const options = cause === null ? {} : { cause: receiveError(cause) }
  const error =
    failure === null
      ? Object.assign(new Error(message, options), fields)
      : new BackendError(failure, message, options)
  if (stack !== undefined) error.stack = stack
  return error
}
