import * as z from 'zod'
import type { DemoMember } from './server'

/**
 * Messages between the host and the embedded backend: over `process.parentPort` in Electron, over the IPC channel of
 * `child_process.fork` elsewhere. The first message to the backend is `start`.
 */
export const backendCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** Absolute path of the data folder, which is created if missing. */
    dataDir: z.string().min(1),
    /** The port to listen on; 0 for any free port. */
    port: z.number().int().min(0).max(65_535),
    /** Allowed page origins, e.g. `app://bundle`. */
    allowedOrigins: z.array(z.string().min(1)),
    /** Whether to fill a new data folder with the demo community. */
    demo: z.boolean(),
    /** Restore the newest readable snapshot and set the current data aside in the folder. */
    restore: z.optional(z.boolean()),
  }),
  /** Shut down cleanly: finish pending work, write a snapshot, reply `stopped` and exit with 0. */
  z.strictObject({ type: z.literal('shutdown') }),
])

export type BackendCommand = z.infer<typeof backendCommandSchema>

/**
 * Why the backend could not start. `locked`: another process uses the data folder; `newer`: a later version of the app
 * wrote it; `migration`: a migration failed and was rolled back; `port`: the port is in use; `damaged`: the data cannot
 * be opened and there is no snapshot to restore; `failed`: anything else.
 */
export const BACKEND_FAILURES = ['locked', 'newer', 'migration', 'port', 'damaged', 'failed'] as const

export type BackendFailure = (typeof BACKEND_FAILURES)[number]

/** Details of a running backend. */
export interface RunningBackend {
  /** `http://127.0.0.1:PORT`. */
  url: string
  port: number
  publishableKey: string
  demo: DemoMember[]
  /** Absolute path of the file that emails are written to. */
  mailFile: string
  /** ISO time of the snapshot that replaced an unreadable data folder; usually null. */
  restoredFrom: string | null
}

export type BackendLogLevel = 'info' | 'warn' | 'error'

/**
 * Messages from the backend: the start ends with `ready`, `failed` or the process's exit; `log` may come at any time.
 */
export type BackendReport =
  | ({ type: 'ready' } & RunningBackend)
  /** `message` is shown to the member. The process exits with 1 right after. */
  | { type: 'failed'; code: BackendFailure; message: string }
  | { type: 'log'; level: BackendLogLevel; text: string }
  | { type: 'stopped' }
