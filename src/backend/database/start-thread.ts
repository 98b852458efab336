import type { Worker } from 'node:worker_threads'
import { type BackendLog, describeError } from '#/backend/base/log'
import { type DatabaseEnd, DatabaseEndedError } from './database-ended-error'
import { type CallName, deserializeError, type FromThread, type ThreadCalls } from './thread-calls'
import { watchCall } from './watch-call'

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
  /** Rejects with the error of the call, or with a DatabaseEndedError, also if it takes longer than the bound in milliseconds. */
  call<Name extends CallName>(
    name: Name,
    args: ThreadCalls[Name]['args'],
    bound: number,
    transfer?: ArrayBuffer[],
  ): Promise<ThreadCalls[Name]['result']>
  /** Terminates the thread at once. */
  terminate(): Promise<unknown>
}

/** Connects to a spawned worker, which opens the database with its first call. */
export function startThread(worker: Worker, { onNotification, onEnd, log }: ThreadEvents): DatabaseThread {
  let pending: { resolve(result: unknown): void; reject(error: unknown): void } | null = null
  let exited: Promise<unknown> | null = null

  const end = (reason: DatabaseEnd): Promise<unknown> => {
    if (exited !== null) return exited
    exited = worker.terminate()
    const error = new DatabaseEndedError(reason)
    if (reason !== 'closed') onEnd(error, exited)
    pending?.reject(error)
    return exited
  }

  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'result':
        return pending?.resolve(message.result)
      case 'error':
        return pending?.reject(deserializeError(message.error))
      case 'notification':
        return onNotification(message.channel, message.payload)
      case 'log':
        return log(message.level, message.text)
    }
  })
  worker.on('error', (error) => log('error', `The database thread failed: ${describeError(error)}`))
  worker.on('exit', () => end('failed'))

  return {
    call: async (name, args, bound, transfer = []) => {
      if (exited !== null) throw new DatabaseEndedError('closed')
      if (pending !== null) throw new Error('The database thread handles one call at a time')
      const unwatch = watchCall(bound, () => end('timeout'))
      try {
        return await new Promise<never>((resolve, reject) => {
          pending = { resolve: resolve as (result: unknown) => void, reject }
          worker.postMessage({ call: name, args }, transfer)
        })
      } finally {
        unwatch()
        pending = null
      }
    },
    terminate: () => end('closed'),
  }
}
