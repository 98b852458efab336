import { Worker } from 'node:worker_threads'
import { createQueue } from '#/backend/base/queue'
import type { ComputeHash, HashResult } from './password-hashes'

/** In MB. */
const HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

/**
 * Computes password hashes one after the other, each in a thread that ends with it: few members sign in, and a thread takes several MB.
 * @param file the bundled `hash-thread.ts`
 */
export function createHashThreads(file: string): ComputeHash {
  const inTurn = createQueue()
  return (task) =>
    inTurn(
      () =>
        new Promise<HashResult>((resolve, reject) => {
          const options = { workerData: task, name: 'password hash', execArgv: [], resourceLimits: HEAP }
          const worker = new Worker(file, options)
          worker.unref()
          worker.on('message', resolve)
          worker.on('error', reject)
          worker.on('exit', () => reject(new Error('The thread of a password hash ended')))
        }),
    )
}
