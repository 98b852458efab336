import { BackendError } from '#/backend/base/backend-error'
import { describeError } from '#/backend/base/log'
import { spawnThread } from '#/backend/database/spawn-thread'
import { type BackendCommand, type BackendReport, backendCommandSchema } from '#/shared/backend-messages'
import { databaseThreadFile } from './paths'
import type { Backend } from './start-backend'

/** The part of Electron's `process.parentPort` that is used here. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

/** Undefined in a plain Node child process, which has an IPC channel instead. */
const parentPort = (process as { parentPort?: ParentPort }).parentPort

function report(message: BackendReport): void {
  if (parentPort !== undefined) parentPort.postMessage(message)
  else if (process.connected) process.send?.(message)
}

function listen(listener: (message: unknown) => void): void {
  if (parentPort !== undefined) parentPort.on('message', (event) => listener(event.data))
  else process.on('message', listener)
}

// PGlite creates its files with the process's umask: other users of the machine must not read them.
process.umask(0o077)

/** In milliseconds; the app kills the process after twenty seconds. */
const SHUTDOWN_MS = 15_000

const spawned = spawnThread(databaseThreadFile())
const program = import('./start-backend')

let backend: Promise<Backend> | undefined

async function start({
  type: _,
  restore,
  ...options
}: Extract<BackendCommand, { type: 'start' }>): Promise<void> {
  backend = program.then(({ startBackend }) =>
    startBackend({
      ...options,
      spawned,
      restore: restore === true,
      log: (level, text) => report({ type: 'log', level, text }),
      onFatalError: fail,
    }),
  )
  const { url, port, publishableKey, demo, mailFile, restoredFrom } = await backend
  report({ type: 'ready', url, port, publishableKey, demo, mailFile, restoredFrom })
}

async function shutdown(): Promise<void> {
  const running = await backend?.catch(() => undefined)
  await running?.stop({ withinMs: SHUTDOWN_MS })
  report({ type: 'stopped' })
  exit(0)
}

function fail(error: unknown): void {
  const code = error instanceof BackendError ? error.code : 'failed'
  if (code === 'failed') report({ type: 'log', level: 'error', text: describeError(error) })
  const message = error instanceof BackendError ? error.message : 'The local server could not be started.'
  report({ type: 'failed', code, message })
  exit(1)
}

/** Exiting at once would drop the last message from the IPC channel. */
function exit(code: number): void {
  setImmediate(() => process.exit(code))
}

listen((message) => {
  const command = backendCommandSchema.parse(message)
  if (command.type === 'shutdown') shutdown().catch(fail)
  else if (backend === undefined) start(command).catch(fail)
})

// Electron only logs these, but a server in an unknown state must not continue.
process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
process.on('disconnect', () => {
  shutdown().catch(() => process.exit(1))
})
