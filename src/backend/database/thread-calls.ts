import { BackendError } from '#/backend/base/backend-error'
import type { DataFolder } from '#/backend/storage/data-folder'
import type { Secrets } from '#/backend/storage/secrets'
import type { BackendFailure, BackendLogLevel } from '#/shared/backend-messages'
import type { DatabaseErrorFields } from './database-error'
import type { ComputedHash, HashTask } from './password-hashes'

/** Arguments to open or reopen a data folder. */
export interface OpenArgs {
  folder: DataFolder
  migrationsDir: string
  templateDir: string
  /** Folder with the demo community's pictures. */
  assetsDir: string
  secrets: Secrets
  siteUrl: string
  /** Whether a new data folder gets the demo community. */
  demo: boolean
  /** Whether to restore the newest snapshot. */
  restore: boolean
  /** PGlite's compiled WebAssembly. */
  wasmModule: WebAssembly.Module
  /** NOTIFY channels to listen to. */
  channels: readonly string[]
  /** Whether an earlier thread has prepared this folder: skips migration and restore. */
  isReopening: boolean
}

export interface OpenResult {
  /** Includes the demo's members if they were added. */
  secrets: Secrets
  /** ISO time of the snapshot that was restored, or null. */
  restoredFrom: string | null
}

export interface FetchArgs {
  method: string
  url: string
  headers: [string, string][]
  body: ArrayBuffer | null
  /** Password hashes for the request; null if the thread computes them. */
  hashes: readonly ComputedHash[] | null
}

export interface FetchResult {
  status: number
  headers: [string, string][]
  body: ArrayBuffer | null
  /** The last database error of this request. */
  raised: DatabaseErrorFields | null
}

/** The calls of the database thread, which handles one at a time. */
export interface ThreadCalls {
  open: { args: OpenArgs; result: OpenResult }
  /** A request to lite. */
  fetch: { args: FetchArgs; result: FetchResult | { hashNeeded: HashTask } }
  query: { args: { sql: string; parameters: unknown[] }; result: Record<string, unknown>[] }
  exec: { args: string; result: null }
  /** Bytes by which WebAssembly memory, which never shrinks, has grown since opening. */
  growth: { args: null; result: number }
  /** The data folder's files as a tar archive. */
  dump: { args: null; result: ArrayBuffer }
  close: { args: null; result: null }
}

export type CallName = keyof ThreadCalls

export type ToThread = { [Name in CallName]: { call: Name; args: ThreadCalls[Name]['args'] } }[CallName]

export type FromThread =
  | { type: 'result'; result: ThreadCalls[CallName]['result'] }
  | { type: 'error'; error: SerializedError }
  | { type: 'notification'; channel: string; payload: string }
  | { type: 'log'; level: BackendLogLevel; text: string }

/** An error for another thread: a structured clone would lose its code and fields. */
export interface SerializedError {
  message: string
  stack: string | undefined
  /** The code of a BackendError. */
  failure: BackendFailure | null
  /** `code`, `detail` and `hint` of PostgreSQL's errors and of Node's. */
  fields: Record<string, string>
  cause: SerializedError | null
}

const FIELDS = ['name', 'code', 'detail', 'hint'] as const

export function serializeError(error: unknown): SerializedError {
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
    cause: error.cause === undefined ? null : serializeError(error.cause),
  }
}

export function deserializeError({ message, stack, failure, fields, cause }: SerializedError): Error {
  const options = cause === null ? {} : { cause: deserializeError(cause) }
  const error =
    failure === null
      ? Object.assign(new Error(message, options), fields)
      : new BackendError(failure, message, options)
  if (stack !== undefined) error.stack = stack
  return error
}
