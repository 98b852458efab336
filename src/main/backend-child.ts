import type { UtilityProcess } from 'electron'
import type { BackendCommand, BackendReport } from '#/shared/backend-messages'
import type { Log } from './log'

/** The process the embedded backend runs in, as far as its keeper needs it. */
export interface BackendChild {
  send(command: BackendCommand): void
  onReport(listener: (report: BackendReport) => void): void
  /** Called once, whatever ended it. */
  onExit(listener: (code: number) => void): void
  kill(): void
}

interface UtilityProcessModule {
  fork(path: string, args: string[], options: Electron.ForkOptions): UtilityProcess
}

/**
 * Starts the backend as Electron's utility process. What it says comes as messages; stderr is for what Node itself
 * has to say, and stdout for nothing.
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
  // Node throws for an 'error' that nobody listens to; the exit that follows restarts the backend.
  child.on('error', (type, location) => log.error(`backend: ${type} in ${location}`))
  child.stderr?.on('data', (chunk: Buffer) => log.warn('backend', chunk.toString('utf8').trimEnd()))
  return {
    send: (command) => child.postMessage(command),
    onReport: (listener) => {
      // Our own process, built from the same types: not input from outside.
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
