import type { Worker } from 'node:worker_threads'
import { collectGarbageWhenIdle } from '#/backend/base/collect-garbage'
import { type BackendLog, describeError } from '#/backend/base/log'
import { createQueue } from '#/backend/base/queue'
import { streamOf } from '#/backend/base/stream-of'
import { BOUNDS, boundForRequest } from './bounds'
import { compilePglite } from './compile-pglite'
import { DatabaseEndedError } from './database-ended-error'
import type { DatabaseErrorFields, LastDatabaseError } from './database-error'
import type { LiteFetch } from './lite-app'
import { HashNeededError } from './password-hashes'
import type { Listen, Queries, Session, Transaction } from './queries'
import { spawnThread } from './spawn-thread'
import { type DatabaseThread, startThread } from './start-thread'
import type { FetchArgs, OpenArgs, OpenResult } from './thread-calls'

/** An idle database whose WebAssembly memory has grown is reopened, because that memory never shrinks. */
const IDLE_MS = 10_000
const GROWTH_MAX_BYTES = 32 * 1024 * 1024

/** Compiled once per process. Threads share it together with V8's optimized code. */
let wasmModule: Promise<WebAssembly.Module> | null = null

export interface DatabaseOptions {
  /** The bundled `database-thread.ts`. */
  threadFile: string
  /** The first thread, if the program has spawned it already. */
  spawned?: Worker
  open: Omit<OpenArgs, 'isReopening' | 'wasmModule'>
  log: BackendLog
  /** Called when the database ended and could not be reopened. */
  onFatalError: (error: unknown) => void
}

/** PostgreSQL and lite in a worker thread, which is replaced when a statement hangs or PostgreSQL crashes. */
export interface Database {
  opened: Pick<OpenResult, 'secrets' | 'restoredFrom'>
  fetch: LiteFetch
  /** The database error of the last request. */
  errors: LastDatabaseError
  /** A session whose statements have this bound in milliseconds. Like `fetch`, it is used only inside `exclusive`. */
  session(bound: number): Session
  /** Calls the listener with each notification of a channel in `channels`, also after the database was reopened. */
  listen: Listen
  /** The data folder as a tar archive. */
  dump(): Promise<Uint8Array>
  /** Calls the listener after each restart after a failure: notifications may have been lost. */
  onRestart(listener: () => void): void
  close(): Promise<void>
  /** Terminates the thread at once. No acknowledged write is lost. */
  terminate(): Promise<void>
}

/** Opens a data folder in a new thread. */
export async function openDatabaseThread(options: DatabaseOptions): Promise<Database> {
  const { log } = options
  /** The thread handles one call at a time, and no other statement may run inside a transaction. */
  const exclusive = createQueue()
  const listeners = new Map<string, (payload: string) => void>()
  const restartListeners = new Set<() => void>()
  let latest: DatabaseThread | null = null
  let isClosing = false
  let raised: DatabaseErrorFields | null = null

  const launch = async (isReopening: boolean, worker = spawnThread(options.threadFile)) => {
    let isOpen = false
    const thread = startThread(worker, {
      log,
      onNotification: (channel, payload) => listeners.get(channel)?.(payload),
      onEnd: (error, exited) => {
        if (isClosing || !isOpen) return
        log('error', `${error.message} Reopening the database.`)
        current = restart(exited)
      },
    })
    latest = thread
    try {
      wasmModule ??= compilePglite()
      const open = { ...options.open, wasmModule: await wasmModule, isReopening }
      const result = await thread.call('open', open, BOUNDS.maintenance)
      isOpen = true
      return { thread, result }
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  const reopen = async (): Promise<DatabaseThread> => {
    if (isClosing) throw new DatabaseEndedError('closed')
    return (await launch(true)).thread
  }

  const restart = (exited: Promise<unknown>): Promise<DatabaseThread> => {
    const startedAt = performance.now()
    const restarted = exited.then(reopen).then((thread) => {
      log('info', `The database was reopened in ${Math.round(performance.now() - startedAt)} ms.`)
      for (const listener of restartListeners) listener()
      return thread
    })
    restarted.catch((error: unknown) => {
      if (isClosing) return
      log('error', `The database could not be reopened: ${describeError(error)}`)
      options.onFatalError(error)
    })
    return restarted
  }

  const first = await launch(false, options.spawned)
  let current = Promise.resolve(first.thread)

  const releaseMemory = () =>
    exclusive(async () => {
      const thread = await current
      if (isClosing) return
      const growth = await thread.call('growth', null, BOUNDS.maintenance)
      if (growth < GROWTH_MAX_BYTES) return
      current = closeThread(thread).then(reopen)
      await current
      log('info', `The database was reopened: its memory had grown by ${Math.round(growth / 1e6)} MB.`)
    }).catch((error: unknown) => {
      if (!isClosing) options.onFatalError(error)
    })
  const idle = setTimeout(releaseMemory, IDLE_MS).unref()
  const noteUse = collectGarbageWhenIdle()

  const onThread = <T>(work: (thread: DatabaseThread) => Promise<T>): Promise<T> =>
    exclusive(async () => {
      try {
        return await work(await current)
      } finally {
        noteUse()
        if (!isClosing) idle.refresh()
      }
    })

  const fetch: LiteFetch = (request, hashes) =>
    onThread(async (thread) => {
      const { method, url } = request
      const body = request.body === null ? null : await request.arrayBuffer()
      const bound = boundForRequest(method, new URL(url))
      const headers = [...request.headers]
      const args: FetchArgs = { method, url, headers, body, hashes: hashes ?? null }
      const result = await thread.call('fetch', args, bound, body === null ? [] : [body])
      if ('hashNeeded' in result) throw new HashNeededError(result.hashNeeded)
      raised = result.raised
      const responseHeaders = new Headers(result.headers)
      if (result.body !== null) responseHeaders.set('content-length', String(result.body.byteLength))
      return new Response(result.body && streamOf(new Uint8Array(result.body)), {
        status: result.status,
        headers: responseHeaders,
      })
    })

  const closeThread = async (thread: DatabaseThread) => {
    await thread.call('close', null, BOUNDS.maintenance).catch((error: unknown) => {
      log('warn', `Closing the database failed: ${describeError(error)}`)
    })
    await thread.terminate()
  }

  const queriesOn = (thread: DatabaseThread, bound: number): Queries => ({
    query: async <Row>(sql: string, parameters: unknown[] = []) => ({
      rows: (await thread.call('query', { sql, parameters }, bound)) as Row[],
    }),
    exec: (sql) => thread.call('exec', sql, bound),
  })

  const session = (bound: number): Session => ({
    query: (sql, parameters) => onThread((thread) => queriesOn(thread, bound).query(sql, parameters)),
    exec: (sql) => onThread((thread) => queriesOn(thread, bound).exec(sql)),
    transaction: (work) => onThread((thread) => transact(queriesOn(thread, bound), work)),
  })

  const stop = () => {
    isClosing = true
    clearTimeout(idle)
  }

  return {
    opened: first.result,
    fetch,
    errors: {
      take: () => {
        const taken = raised
        raised = null
        return taken
      },
    },
    session,
    listen: (channel, listener) => {
      listeners.set(channel, listener)
    },
    dump: async () => {
      return new Uint8Array(await onThread((thread) => thread.call('dump', null, BOUNDS.maintenance)))
    },
    onRestart: (listener) => {
      restartListeners.add(listener)
    },
    close: () =>
      exclusive(async () => {
        stop()
        const thread = await current.catch(() => null)
        if (thread !== null) await closeThread(thread)
      }),
    terminate: async () => {
      stop()
      await latest?.terminate()
    },
  }
}

async function transact<T>(queries: Queries, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let isOver = false
  const open = () => {
    if (isOver) throw new Error('The transaction is over')
    return queries
  }
  const finish = async (sql: 'commit' | 'rollback') => {
    isOver = true
    await queries.exec(sql)
  }
  await queries.exec('begin')
  try {
    const result = await work({
      query: async (sql, parameters) => open().query(sql, parameters),
      exec: async (sql) => open().exec(sql),
      rollback: () => finish('rollback'),
    })
    if (!isOver) await finish('commit')
    return result
  } catch (error) {
    // If the database ended, it has already rolled back.
    if (!isOver) await finish('rollback').catch(() => undefined)
    throw error
  }
}
