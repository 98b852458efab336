import { type BackendLog, describeError } from '#/backend/log'
import { createMutex } from '#/backend/mutex'
import { streamOf } from '#/backend/stream-of'
import { BOUNDS, type Bound, boundOfRequest } from './bounds'
import { DatabaseEndedError } from './database-ended-error'
import type { DatabaseErrorFields, LastDatabaseError } from './database-error'
import type { LiteFetch } from './lite-app'
import type { Queries, Session, Transaction } from './queries'
import { type DatabaseThread, startThread } from './start-thread'
import type { FetchAsk, OpenAnswer, OpenAsk } from './thread-calls'

/** The database is reopened once it has been idle for this long and its WebAssembly memory, which never shrinks, has grown. */
const IDLE_MS = 10_000
const GROWTH_MAX_BYTES = 32 * 1024 * 1024

/** Compiled once per process: threads share it, and V8's optimised code for it. */
let wasmModule: WebAssembly.Module | null = null

export interface DatabaseOptions {
  /** The bundled `database-thread.ts`. */
  threadFile: string
  open: Omit<OpenAsk, 'reopen' | 'wasmModule'>
  log: BackendLog
  /** How large the response to a request may be, in bytes; a larger one gets 503. */
  responseRoom: () => number
  /** Called when the database ended and could not be reopened: the backend can no longer serve. */
  onLost: (error: unknown) => void
}

/** PostgreSQL with lite on it, in a thread that is ended and replaced when a statement hangs or PostgreSQL crashes. */
export interface Database {
  opened: Pick<OpenAnswer, 'secrets' | 'restoredFrom'>
  /** Lite's response to a request. */
  fetch: LiteFetch
  /** The error that the database raised for the last request. */
  errors: LastDatabaseError
  /** A session with these bounds. Like requests, it is used only inside `exclusive`. */
  session(bound: Bound): Session
  /** The data folder as a tar archive. */
  dump(): Promise<Uint8Array>
  /** Calls the listener after each restart that may have lost notifications. */
  onRestart(listener: () => void): void
  /** Closes the database in good order. */
  close(): Promise<void>
  /** Ends it at once; no acknowledged write is lost. */
  terminate(): Promise<void>
}

/** Opens a data folder in a new thread. Rejects with the error of opening it. */
export async function openDatabaseThread(options: DatabaseOptions): Promise<Database> {
  const { log } = options
  /** A thread answers one call at a time, and no other statement may run inside a transaction. */
  const inTurn = createMutex()
  const channelListeners = new Map<string, Set<(payload: string) => void>>()
  const restartListeners = new Set<() => void>()
  let latest: DatabaseThread | null = null
  let isClosing = false
  let raised: DatabaseErrorFields | null = null
  let wasmBytesAtOpen = 0

  const launch = async (reopen: OpenAsk['reopen']) => {
    const thread = startThread(options.threadFile, {
      log,
      onNotification: (channel, payload) => {
        for (const hear of channelListeners.get(channel) ?? []) hear(payload)
      },
      onEnd: (error, gone) => {
        if (isClosing || thread !== opened) return
        log('error', `${error.message} Reopening the database.`)
        current = restart(gone)
      },
    })
    let opened: DatabaseThread | null = null
    latest = thread
    try {
      const answer = await thread.call('open', { ...options.open, wasmModule, reopen }, BOUNDS.open)
      opened = thread
      wasmModule = answer.wasmModule
      wasmBytesAtOpen = thread.wasmBytes()
      return { thread, answer }
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

  const restart = (gone: Promise<unknown>): Promise<DatabaseThread> => {
    const startedAt = performance.now()
    const restarted = gone.then(reopen).then((thread) => {
      log('info', `The database was reopened in ${Math.round(performance.now() - startedAt)} ms.`)
      for (const listener of restartListeners) listener()
      return thread
    })
    restarted.catch((error: unknown) => {
      if (isClosing) return
      log('error', `The database could not be reopened: ${describeError(error)}`)
      options.onLost(error)
    })
    return restarted
  }

  const first = await launch(null)
  let current = Promise.resolve(first.thread)

  const releaseMemory = () =>
    inTurn(async () => {
      const thread = await current
      const grown = thread.wasmBytes() - wasmBytesAtOpen
      if (isClosing || grown < GROWTH_MAX_BYTES) return
      current = thread.close().then(reopen)
      await current
      log('info', `The database was reopened: its memory had grown by ${Math.round(grown / 1e6)} MB.`)
    }).catch((error: unknown) => {
      if (!isClosing) options.onLost(error)
    })
  const idle = setTimeout(releaseMemory, IDLE_MS).unref()

  /** Runs work on the current thread, alone. */
  const onThread = <T>(work: (thread: DatabaseThread) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      try {
        return await work(await current)
      } finally {
        if (!isClosing) idle.refresh()
      }
    })

  const fetch: LiteFetch = (request) =>
    onThread(async (thread) => {
      const { method, url } = request
      const body = request.body === null ? null : await request.arrayBuffer()
      const bound = boundOfRequest(method, new URL(url).pathname, body?.byteLength ?? 0)
      const responseBytes = options.responseRoom()
      const ask: FetchAsk = { method, url, headers: [...request.headers], body, responseBytes }
      const answer = await thread.call('fetch', ask, bound, body === null ? [] : [body])
      raised = answer.raised
      const headers = new Headers(answer.headers)
      if (answer.body !== null) headers.set('content-length', String(answer.body.byteLength))
      return new Response(answer.body && streamOf(new Uint8Array(answer.body)), {
        status: answer.status,
        headers,
      })
    })

  const queriesOn = (thread: DatabaseThread, bound: Bound): Queries => ({
    query: async <Row>(sql: string, parameters: unknown[] = []) => ({
      rows: (await thread.call('query', { sql, parameters }, bound)) as Row[],
    }),
    exec: (sql) => thread.call('exec', sql, bound),
  })

  const listen: Session['listen'] = async (channel, hear) => {
    const known = channelListeners.get(channel) ?? new Set()
    channelListeners.set(channel, known.add(hear))
    if (known.size === 1) await onThread((thread) => thread.call('listen', channel, BOUNDS.maintenance))
    return async () => {
      if (!known.delete(hear) || known.size > 0) return
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
    opened: first.answer,
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
      inTurn(async () => {
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
    // A database that ended has already rolled back.
    if (!isOver) await finish('rollback').catch(() => undefined)
    throw error
  }
}
