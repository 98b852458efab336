import { Worker } from 'node:worker_threads'
import { type BackendLog, describeError } from '#/backend/log'
import { BOUNDS, type Bound } from './bounds'
import { DatabaseEndedError } from './database-ended-error'
import { createStatementState } from './statement-state'
import { type CallName, type FromThread, receiveError, type ThreadCalls, type ToThread } from './thread-calls'
import { watchCall } from './watchdog'

/** With a larger JavaScript heap, in MB, the thread ends instead of the whole process. */
const HEAP_MB = 256

/** Node's default, 48 MB, fills with garbage of responses before it is collected for the first time. */
const YOUNG_HEAP_MB = 8

export interface ThreadEvents {
  onNotification(channel: string, payload: string): void
  /**
   * The thread has ended, or is being ended, unexpectedly. Called before the pending call is rejected;
   * `gone` resolves when the thread no longer touches the data folder.
   */
  onEnd(error: DatabaseEndedError, gone: Promise<unknown>): void
  log: BackendLog
}

/** A running database thread. It answers one call at a time. */
export interface DatabaseThread {
  /** Rejects with the error that the call raised, or with a DatabaseEndedError. */
  call<Name extends CallName>(
    name: Name,
    ask: ThreadCalls[Name]['ask'],
    bound: Bound,
    transfer?: ArrayBuffer[],
  ): Promise<ThreadCalls[Name]['answer']>
  /** Bytes of WebAssembly memory, which never shrinks. */
  wasmBytes(): number
  /** Closes the database in good order, then ends the thread. Resolves after a failure too. */
  close(): Promise<void>
  /** Ends the thread at once, as a crash would. */
  terminate(): Promise<void>
}

/** @param file the bundled `database-thread.ts` */
export function startThread(file: string, { onNotification, onEnd, log }: ThreadEvents): DatabaseThread {
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
  let pending: { resolve(answer: unknown): void; reject(error: unknown): void } | null = null
  let isEnded = false
  let uncaught: unknown = null

  const settle = (act: (waiter: NonNullable<typeof pending>) => void) => {
    const waiter = pending
    pending = null
    if (waiter !== null) act(waiter)
  }
  const end = (error: DatabaseEndedError, gone: Promise<unknown>) => {
    if (isEnded) return
    isEnded = true
    onEnd(error, gone)
    settle(({ reject }) => reject(error))
  }
  const terminate = async () => {
    isEnded = true
    const gone = worker.terminate()
    settle(({ reject }) => reject(new DatabaseEndedError('closed')))
    await gone
  }

  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'answer':
        return settle(({ resolve }) => resolve(message.answer))
      case 'error':
        return settle(({ reject }) => reject(receiveError(message.error)))
      case 'notification':
        return onNotification(message.channel, message.payload)
      case 'log':
        return log(message.level, message.text)
    }
  })
  worker.on('error', (error) => {
    uncaught = error
  })
  worker.on('exit', () => {
    if (uncaught !== null) log('error', `The database thread failed: ${describeError(uncaught)}`)
    end(new DatabaseEndedError('failed'), Promise.resolve())
  })

  const call: DatabaseThread['call'] = async (name, ask, bound, transfer = []) => {
    if (isEnded) throw new DatabaseEndedError('closed')
    if (pending !== null) throw new Error('The database thread answers one call at a time')
    const answer = new Promise<unknown>((resolve, reject) => {
      pending = { resolve, reject }
    })
    worker.postMessage({ call: name, ask, growthBytes: bound.growthBytes } as ToThread, transfer)
    const onOver = () => end(new DatabaseEndedError('timeout'), worker.terminate())
    const unwatch = watchCall({ state, bound, onOver })
    try {
      return (await answer) as never
    } finally {
      unwatch()
    }
  }

  return {
    call,
    wasmBytes: state.wasmBytes,
    terminate,
    close: async () => {
      try {
        await call('close', null, BOUNDS.maintenance)
      } catch (error) {
        log('warn', `Closing the database failed: ${describeError(error)}`)
      }
      await terminate()
    },
  }
}
