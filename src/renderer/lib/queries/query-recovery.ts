import type { Query, QueryClient } from '@tanstack/react-query'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { isTransient } from './query-client'

/**
 * Pause between two retries of failed reads, in milliseconds: a screen recovers within ten seconds after the server.
 * Random, so that clients do not retry in the same moment.
 */
const RECOVERY_MS = { least: 3_000, most: 6_000 } as const

/** Active queries that failed, including never-stale ones, which `refetchQueries` skips. */
function failedQueries(client: QueryClient): Query[] {
  return client
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'idle', predicate: ({ state }) => state.status === 'error' })
}

/** Repeats the failed fetch: the whole query, or its next page. Never rejects; the query cache logs the failure. */
async function repeatFetch(query: Query): Promise<void> {
  const { fetchMeta } = query.state
  await query.fetch(undefined, fetchMeta === null ? undefined : { meta: fetchMeta }).catch(() => undefined)
}

/** Repeats the failed fetches of active queries. Resolves when all have ended; never rejects. */
export async function retryFailedQueries(client: QueryClient): Promise<void> {
  await Promise.all(failedQueries(client).map(repeatFetch))
}

/**
 * Retries active queries that failed for a transient reason, every few seconds: one query until it succeeds, then all
 * (FEED-12). Returns a stop function.
 */
export function keepRecovering(client: QueryClient, random: () => number = Math.random): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const retryable = () => failedQueries(client).filter(({ state }) => isTransient(state.error))
  const schedule = () => {
    if (isStopped || timer !== undefined || retryable().length === 0) return
    const { least, most } = RECOVERY_MS
    timer = setTimeout(attempt, least + random() * (most - least))
  }
  const attempt = async () => {
    const [probe, ...others] = retryable()
    if (probe !== undefined) {
      await repeatFetch(probe)
      if (probe.state.status !== 'error') await Promise.all(others.map(repeatFetch))
    }
    timer = undefined
    schedule()
  }
  // The cache reports every change of every query: search it only after a failure.
  const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
    if (query.state.status === 'error') schedule()
  })
  return () => {
    isStopped = true
    unsubscribe()
    clearTimeout(timer)
  }
}

/** A read that takes longer may hang, in milliseconds. Most servers respond much faster. */
const SLOW_MS = 5_000
/** Timeout of a check, in milliseconds. */
const CHECK_MS = 3_000
/** Pause between two checks, in milliseconds. Random, so that clients do not check in the same moment. */
const PAUSE_MS = { least: 1_000, most: 2_000 } as const

/** Whether the server responds to a small read in time. */
export async function isServerAnswering(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CHECK_MS)
    await unwrap(supabase().from('profiles').select('id').limit(1).abortSignal(signal))
    return true
  } catch {
    return false
  }
}

/** Restarts the current attempt: the whole query, or its next page. Never rejects. */
async function restart(query: Query): Promise<void> {
  const { fetchMeta } = query.state
  await query.cancel({ revert: true })
  await query.fetch(undefined, fetchMeta === null ? undefined : { meta: fetchMeta }).catch(() => undefined)
}

/**
 * Restarts reads that still hang although the server responds again, instead of waiting for their timeout (FEED-12). A
 * read hangs if it has been waiting for seconds while a later check succeeded. Each read is restarted only once,
 * because the server may need that long for it. Also retries failed reads. Returns a stop function.
 */
export function restartHungReads(
  client: QueryClient,
  isAnswering = isServerAnswering,
  random: () => number = Math.random,
): () => void {
  /** When each attempt in flight started. */
  const waitingSince = new Map<Query, number>()
  const restarted = new WeakSet<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const hung = () =>
    [...waitingSince].flatMap(([query, since]) =>
      query.isActive() && !restarted.has(query) && Date.now() - since >= SLOW_MS ? [query] : [],
    )
  const schedule = (delay: number) => {
    if (!isOver) timer ??= setTimeout(check, delay)
  }
  const check = async () => {
    const before = hung()
    if (before.length > 0 && (await isAnswering()) && !isOver) {
      const still = before.filter((query) => waitingSince.has(query))
      for (const query of still) restarted.add(query)
      void Promise.all([...still.map(restart), retryFailedQueries(client)])
    }
    timer = undefined
    if (waitingSince.size > 0) schedule(PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least))
  }

  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { query } = event
    if (event.type === 'removed') waitingSince.delete(query)
    if (event.type !== 'updated') return
    const { type } = event.action
    if (type === 'success' || type === 'error') restarted.delete(query)
    if (query.state.fetchStatus === 'idle') {
      waitingSince.delete(query)
    } else if (type === 'fetch' || type === 'failed') {
      waitingSince.set(query, Date.now())
      schedule(SLOW_MS)
    }
  })
  return () => {
    isOver = true
    unsubscribe()
    clearTimeout(timer)
  }
}
