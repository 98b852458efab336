import type { Query, QueryClient } from '@tanstack/react-query'
import { retryFailedQueries } from './query-client'
import { supabase, unwrap } from './supabase'

/** A read that waits longer than this may hang, in milliseconds: most servers answer in far less. */
const SLOW_MS = 5_000
/** How long the answer to a check may take, in milliseconds. */
const CHECK_MS = 3_000
/** Between two checks, in milliseconds. Random, so that not all apps ask in the same moment. */
const PAUSE_MS = { least: 1_000, most: 2_000 } as const

/** Whether the server answers a small read in time. */
export async function isServerAnswering(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CHECK_MS)
    await unwrap(supabase().from('profiles').select('id').limit(1).abortSignal(signal))
    return true
  } catch {
    return false
  }
}

/** Starts the attempt that is under way again: the whole query, or its next page. Never rejects. */
async function restart(query: Query): Promise<void> {
  const { fetchMeta } = query.state
  await query.cancel({ revert: true })
  await query.fetch(undefined, fetchMeta === null ? undefined : { meta: fetchMeta }).catch(() => undefined)
}

/**
 * Restarts reads that hang although the server answers again, instead of waiting for their timeout (FEED-12): a read
 * that has waited for seconds while a check sent after it is answered at once. Each read is restarted once, since the
 * server may need as long as that for it. Reads that failed are repeated too. Returns what ends it.
 */
export function restartHungReads(
  client: QueryClient,
  isAnswering = isServerAnswering,
  random: () => number = Math.random,
): () => void {
  /** When the attempts began that have no answer yet. */
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
