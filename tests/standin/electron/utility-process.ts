import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { UtilityProcess } from 'electron'
import { knowsOnly, requireReady, strict, type Unknown } from './life'
import { record } from './record'

/** A utility process as a plain Node child: the backend speaks over `process.send` there. */
class StandinUtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly stderr: ChildProcess['stderr']

  constructor(path: string, args: string[], env: NodeJS.ProcessEnv) {
    super()
    this.#child = fork(path, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env })
    this.stderr = this.#child.stderr
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('exit', (code) => this.emit('exit', code ?? 1))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  postMessage(message: object): void {
    this.#child.send(structuredClone(message))
  }

  kill(): boolean {
    return this.#child.kill()
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
