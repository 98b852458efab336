import { type BackendLog, describeError } from '#/backend/log'
import { BOUNDS, type Bound } from './bounds'
import { DatabaseEndedError } from './database-ended-error'
import type { SpawnedThread } from './spawn-thread'
import {
  type CallName,
  deserializeError,
  type FromThread,
  type ThreadCalls,
  type ToThread,
} from './thread-calls'
import { watchCall } from './watchdog'

export interface ThreadEvents {
  onNotification(channel: string, payload: string): void
  /**
   * Called when the thread ends unexpectedly, before the pending call is rejected. `exited` resolves when the thread no
   * longer uses the data folder.
   */
  onEnd(error: DatabaseEndedError, exited: Promise<unknown>): void
  log: BackendLog
}

/** A running database thread. It handles one call at a time. */
export interface DatabaseThread {
  /** Rejects with the error of the call, or with a DatabaseEndedError. */
  call<Name extends CallName>(
    name: Name,
    args: ThreadCalls[Name]['args'],
    bound: Bound,
    transfer?: ArrayBuffer[],
  ): Promise<ThreadCalls[Name]['result']>
  /** Bytes of WebAssembly memory, which never shrinks. */
  wasmBytes(): number
  /** Closes the database, then terminates the thread. Resolves even if closing fails. */
  close(): Promise<void>
  /** Terminates the thread at once. */
  terminate(): Promise<void>
}

/** Connects to a spawned worker, which opens the database with its first call. */
export function startThread(
  { worker, state }: SpawnedThread,
  { onNotification, onEnd, log }: ThreadEvents,
): DatabaseThread {
  let pending: { resolve(result: unknown): void; reject(error: unknown): void } | null = null
  let isEnded = false
  let uncaught: unknown = null

  const settle = (act: (call: NonNullable<typeof pending>) => void) => {
    const call = pending
    pending = null
    if (call !== null) act(call)
  }
  const end = (error: DatabaseEndedError, exited: Promise<unknown>) => {
    if (isEnded) return
    isEnded = true
    onEnd(error, exited)
    settle(({ reject }) => reject(error))
  }
  const terminate = async () => {
    isEnded = true
    const exited = worker.terminate()
    settle(({ reject }) => reject(new DatabaseEndedError('closed')))
    await exited
  }

  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'result':
        return settle(({ resolve }) => resolve(message.result))
      case 'error':
        return settle(({ reject }) => reject(deserializeError(message.error)))
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

  const call: DatabaseThread['call'] = async (name, args, bound, transfer = []) => {
    if (isEnded) throw new DatabaseEndedError('closed')
    if (pending !== null) throw new Error('The database thread handles one call at a time')
    const result = new Promise<unknown>((resolve, reject) => {
      pending = { resolve, reject }
    })
    worker.postMessage({ call: name, args, growthBytes: bound.growthBytes } as ToThread, transfer)
    const onTimeout = () => end(new DatabaseEndedError('timeout'), worker.terminate())
    const unwatch = watchCall({ state, bound, onTimeout })
    try {
      return (await result) as never
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
