import { type ChildProcess, fork } from 'node:child_process'
import type { UtilityProcess } from 'electron'
import { toPage } from '../address'
import { app } from './app'
import { knowsOnly, PreventableEvent, requireReady, StandinEmitter, strict, type Unknown } from './life'
import { record } from './record'

/** Node itself, also where `STANDIN_PROGRAM` says that the app is another program. */
const NODE = process.execPath

const running = new Set<StandinUtilityProcess>()

/** Messages to utility processes that wait for `releaseMessages`; null if they are sent at once. */
let held: (() => void)[] | null = process.env.STANDIN_BACKEND === 'held' ? [] : null

export function releaseMessages(): void {
  for (const send of held ?? []) send()
  held = null
}

export function killUtilityProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** A fatal V8 error: Electron emits `error`, which throws without a listener, and the process exits. */
export function failUtilityProcesses(): void {
  for (const child of running) {
    setImmediate(() => {
      child.kill('SIGKILL')
      child.emit('error', 'FatalError', 'v8::Heap', '{}')
    })
  }
}

/** Replaces the app's origin with the page's real one, which is what the backend's origin check receives. */
function addressed(value: unknown): unknown {
  if (typeof value === 'string') return toPage(value)
  if (Array.isArray(value)) return value.map(addressed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, addressed(item)]))
}

/** A utility process as a plain Node child. The backend uses `process.send` there. */
class StandinUtilityProcess extends StandinEmitter {
  readonly #child: ChildProcess
  readonly stderr: ChildProcess['stderr']

  constructor(path: string, args: string[], env: NodeJS.ProcessEnv) {
    super('UtilityProcess')
    // Optimizing PGlite's WebAssembly costs a second of CPU time per start, more than a test gains.
    const execArgv = ['--liftoff-only']
    this.#child = fork(path, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env,
      execArgv,
      execPath: NODE,
    })
    running.add(this)
    this.stderr = this.#child.stderr
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('exit', (code) => {
      running.delete(this)
      const details = { type: 'Utility', reason: code === 0 ? 'clean-exit' : 'killed', exitCode: code ?? 1 }
      app.emit('child-process-gone', new PreventableEvent(), details)
      this.emit('exit', code ?? 1)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  postMessage(message: object): void {
    const sent = addressed(structuredClone(message)) as object
    if (held === null) this.#child.send(sent)
    else held.push(() => this.#child.send(sent))
  }

  kill(signal?: NodeJS.Signals): boolean {
    return this.#child.kill(signal)
  }
}

knowsOnly<Unknown<StandinUtilityProcess, UtilityProcess>>()

export const utilityProcess = strict('utilityProcess', {
  fork(path: string, args: string[] = [], options: Electron.ForkOptions = {}): StandinUtilityProcess {
    requireReady('utilityProcess')
    record.forks.push({ path, options })
    const { NODE_OPTIONS: _options, ...env } = process.env
    return new StandinUtilityProcess(path, args, env)
  },
})
