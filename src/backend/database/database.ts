import { collectGarbageWhenIdle } from '#/backend/collect-garbage'
import { type BackendLog, describeError } from '#/backend/log'
import { createMutex } from '#/backend/mutex'
import { streamOf } from '#/backend/stream-of'
import { BOUNDS, type Bound, boundForRequest } from './bounds'
import { compilePglite } from './compile-pglite'
import { DatabaseEndedError } from './database-ended-error'
import type { DatabaseErrorFields, LastDatabaseError } from './database-error'
import type { LiteFetch } from './lite-app'
import { HashNeededError } from './password-hashes'
import type { Queries, Session, Transaction } from './queries'
import { type SpawnedThread, spawnThread } from './spawn-thread'
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
  spawned?: SpawnedThread
  open: Omit<OpenArgs, 'reopen' | 'wasmModule'>
  log: BackendLog
  /** Largest response to the next request, in bytes; a larger one becomes a 503. */
  availableResponseBytes: () => number
  /** Called when the database ended and could not be reopened. */
  onFatalError: (error: unknown) => void
}

/** PostgreSQL and lite in a worker thread, which is replaced when a statement hangs or PostgreSQL crashes. */
export interface Database {
  opened: Pick<OpenResult, 'secrets' | 'restoredFrom'>
  fetch: LiteFetch
  /** The database error of the last request. */
  errors: LastDatabaseError
  /** A session with these bounds. Like `fetch`, it is used only inside `exclusive`. */
  session(bound: Bound): Session
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
  const exclusive = createMutex()
  const channelListeners = new Map<string, Set<(payload: string) => void>>()
  const restartListeners = new Set<() => void>()
  let latest: DatabaseThread | null = null
  let isClosing = false
  let raised: DatabaseErrorFields | null = null
  let wasmBytesAtOpen = 0

  const launch = async (reopen: OpenArgs['reopen'], spawned = spawnThread(options.threadFile)) => {
    const thread = startThread(spawned, {
      log,
      onNotification: (channel, payload) => {
        for (const listener of channelListeners.get(channel) ?? []) listener(payload)
      },
      onEnd: (error, exited) => {
        if (isClosing || thread !== opened) return
        log('error', `${error.message} Reopening the database.`)
        current = restart(exited)
      },
    })
    let opened: DatabaseThread | null = null
    latest = thread
    try {
      wasmModule ??= compilePglite()
      const open = { ...options.open, wasmModule: await wasmModule, reopen }
      const result = await thread.call('open', open, BOUNDS.open)
      opened = thread
      wasmBytesAtOpen = thread.wasmBytes()
      return { thread, result }
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  const reopen = async (): Promise<DatabaseThread> => {
    if (isClosing) throw new DatabaseEndedError('closed')
    const { thread } = await launch({ channels: [...channelListeners.keys()] })
    return thread
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

  const first = await launch(null, options.spawned)
  let current = Promise.resolve(first.thread)

  const releaseMemory = () =>
    exclusive(async () => {
      const thread = await current
      const growth = thread.wasmBytes() - wasmBytesAtOpen
      if (isClosing || growth < GROWTH_MAX_BYTES) return
      current = thread.close().then(reopen)
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
      const bound = boundForRequest(method, new URL(url), body?.byteLength ?? 0)
      const responseBytes = options.availableResponseBytes()
      const headers = [...request.headers]
      const args: FetchArgs = { method, url, headers, body, responseBytes, hashes: hashes ?? null }
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

  const queriesOn = (thread: DatabaseThread, bound: Bound): Queries => ({
    query: async <Row>(sql: string, parameters: unknown[] = []) => ({
      rows: (await thread.call('query', { sql, parameters }, bound)) as Row[],
    }),
    exec: (sql) => thread.call('exec', sql, bound),
  })

  const listen: Session['listen'] = async (channel, listener) => {
    const listeners = channelListeners.get(channel) ?? new Set()
    channelListeners.set(channel, listeners.add(listener))
    if (listeners.size === 1) await onThread((thread) => thread.call('listen', channel, BOUNDS.maintenance))
    return async () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      channelListeners.delete(channel)
      await onThread((thread) => thread.call('unlisten', channel, BOUNDS.maintenance))
    }
  }

  const session = (bound: Bound): Session => ({
    query: (sql, parameters) => onThread((thread) => queriesOn(thread, bound).query(sql, parameters)),
    exec: (sql) => onThread((thread) => queriesOn(thread, bound).exec(sql)),
    transaction: (work) => onThread((thread) => transact(queriesOn(thread, bound), work)),
    listen,
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
        await thread?.close()
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
