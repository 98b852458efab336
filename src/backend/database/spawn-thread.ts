import { Worker } from 'node:worker_threads'

/** In MB. A larger JavaScript heap ends the thread, instead of the whole process. */
const HEAP_MB = 256

/** In MB. With Node's default, 48 MB, garbage of responses accumulates before its first collection. */
const YOUNG_HEAP_MB = 8

/**
 * Starts a database thread, which then waits for its first call. Loading its code takes a quarter of a start, so the
 * programs spawn it before they load their own.
 * @param file the bundled `database-thread.ts`
 */
export const spawnThread = (file: string): Worker =>
  new Worker(file, {
    name: 'database',
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_MB,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      stackSizeMb: 16,
    },
  })
