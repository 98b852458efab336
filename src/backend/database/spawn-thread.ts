import { Worker } from 'node:worker_threads'
import { createStatementState, type StatementState } from './statement-state'

/** In MB. A larger JavaScript heap ends the thread, instead of the whole process. */
const HEAP_MB = 256

/** In MB. With Node's default, 48 MB, garbage of responses accumulates before its first collection. */
const YOUNG_HEAP_MB = 8

/** A worker that loads the code of the database thread. */
export interface SpawnedThread {
  worker: Worker
  state: StatementState
}

/**
 * Starts a database thread, which then waits for its first call. Loading its code takes a quarter of a start, so the
 * programs spawn it before they load their own.
 * @param file the bundled `database-thread.ts`
 */
export function spawnThread(file: string): SpawnedThread {
  const state = createStatementState()
  const worker = new Worker(file, {
    name: 'database',
    workerData: state.memory,
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_MB,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: 16,
    },
  })
  return { worker, state }
}
