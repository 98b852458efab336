import * as z from 'zod'
import type { DemoMember } from './server'

/**
 * What the main process and the embedded backend's utility process say to each other: over `process.parentPort` in
 * Electron, over the IPC channel of `child_process.fork` elsewhere. The first message to the backend is `start`.
 */
export const backendCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** Absolute path of the data folder; made if missing. */
    dataDir: z.string().min(1),
    /** The port to listen on; 0 lets the system choose. */
    port: z.number().int().min(0).max(65_535),
    /** Origins of the pages that may call, e.g. `app://vignette`. */
    allowedOrigins: z.array(z.string().min(1)),
    /** Whether a new data folder gets the demo community. */
    demo: z.boolean(),
    /** Go back to the newest snapshot that opens; the data of now is set aside in the folder. */
    restore: z.optional(z.boolean()),
  }),
  /** Stop cleanly: finish what is under way, write a snapshot, answer `stopped` and exit with 0. */
  z.strictObject({ type: z.literal('shutdown') }),
])

export type BackendCommand = z.infer<typeof backendCommandSchema>

/**
 * Why the backend could not start. `locked`: another process has the data folder; `newer`: a later version of the
 * app wrote it; `migration`: a migration failed and the folder is as it was; `port`: the port is taken;
 * `damaged`: the data does not open and there is no snapshot to go back to; `failed`: anything else.
 */
export const BACKEND_FAILURES = ['locked', 'newer', 'migration', 'port', 'damaged', 'failed'] as const

export type BackendFailure = (typeof BACKEND_FAILURES)[number]

/** A backend that serves. */
export interface RunningBackend {
  /** `http://127.0.0.1:PORT`. */
  url: string
  port: number
  publishableKey: string
  demo: DemoMember[]
  /** Absolute path of the file that mails are written to. */
  mailFile: string
  /** When the snapshot was taken (ISO time) that replaced a data folder which did not open; null as a rule. */
  restoredFrom: string | null
}

export type BackendLogLevel = 'info' | 'warn' | 'error'

/** What the backend says: it ends with `ready`, `failed` or its exit; `log` lines come at any time. */
export type BackendReport =
  | ({ type: 'ready' } & RunningBackend)
  /** `message` is a plain sentence for the member. The process exits with 1 right after. */
  | { type: 'failed'; code: BackendFailure; message: string }
  | { type: 'log'; level: BackendLogLevel; text: string }
  | { type: 'stopped' }
