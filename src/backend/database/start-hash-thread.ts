import { Worker } from 'node:worker_threads'
import type { HashResult, HashTask } from './password-hashes'
import { deserializeError, type SerializedError } from './thread-calls'

/** In MB. */
const HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

/** An idle thread ends, because few members sign in and a thread takes several MB. */
const IDLE_MS = 30_000

/** Computes password hashes one after the other in another thread. */
export interface HashThread {
  compute(task: HashTask): Promise<HashResult>
  stop(): Promise<void>
}

interface Waiting {
  resolve: (result: HashResult) => void
  reject: (error: Error) => void
}

/** @param file the bundled `hash-thread.ts`; the thread starts with the first hash */
export function createHashThread(file: string): HashThread {
  let running: Worker | null = null
  let waiting: Waiting[] = []

  const stop = async () => {
    const worker = running
    running = null
    await worker?.terminate()
  }
  const idle = setTimeout(() => {
    if (waiting.length === 0) void stop()
  }, IDLE_MS).unref()

  const start = (): Worker => {
    const worker = new Worker(file, { name: 'password hashes', execArgv: [], resourceLimits: HEAP })
    worker.unref()
    worker.on('message', (message: { result: HashResult } | { error: SerializedError }) => {
      const next = waiting.shift()
      idle.refresh()
      if ('error' in message) next?.reject(deserializeError(message.error))
      else next?.resolve(message.result)
    })
    let failure = new Error('The thread for password hashes ended')
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (running !== worker && running !== null) return
      running = null
      for (const { reject } of waiting) reject(failure)
      waiting = []
    })
    return worker
  }

  return {
    compute: (task) =>
      new Promise((resolve, reject) => {
        running ??= start()
        idle.refresh()
        waiting.push({ resolve, reject })
        running.postMessage(task)
      }),
    stop: async () => {
      clearTimeout(idle)
      await stop()
    },
  }
}
