import type { UtilityProcess } from 'electron'
import type { Log } from '#/main/log'
import type { BackendCommand, BackendReport } from '#/shared/backend-messages'

/** The utility process of the embedded backend. */
export interface BackendChild {
  send(command: BackendCommand): void
  onReport(listener: (report: BackendReport) => void): void
  /** Called once, for a clean exit and a crash alike. */
  onExit(listener: (code: number) => void): void
  kill(): void
}

interface UtilityProcessModule {
  fork(path: string, args: string[], options: Electron.ForkOptions): UtilityProcess
}

/**
 * Starts the backend as an Electron utility process. It reports through messages; stderr contains only Node's own
 * output.
 */
export function forkBackend(
  utilityProcess: UtilityProcessModule,
  entry: string,
  log: Pick<Log, 'warn' | 'error'>,
): BackendChild {
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Vignette backend',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // An 'error' event without a listener would throw. The exit event that follows restarts the backend.
  child.on('error', (type, location) => log.error(`backend: ${type} in ${location}`))
  child.stderr?.on('data', (chunk: Buffer) => log.warn('backend', chunk.toString('utf8').trimEnd()))
  return {
    send: (command) => child.postMessage(command),
    onReport: (listener) => {
      // This process is built from the same types, so its messages need no validation.
      child.on('message', (report: BackendReport) => listener(report))
    },
    onExit: (listener) => {
      child.once('exit', listener)
    },
    kill: () => {
      child.kill()
    },
  }
}
