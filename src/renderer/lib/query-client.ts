import {
  type Mutation,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { AppError } from './errors'
import { logFailure } from './logger'
import { finishBeforeQuitting } from './under-way'

/** How long what was read counts as fresh, in milliseconds; one table for the whole app. */
export const STALE = {
  /** Kept right by the app itself: never read again by itself, not even after a failed refetch. */
  live: 'static',
  /** Never changes: a stored picture. */
  immutable: Number.POSITIVE_INFINITY,
  short: 15_000,
  minute: 60_000,
} as const

/** How long what nobody shows is kept in memory, in milliseconds. Posts far from the reader are dropped by it. */
export const KEEP = { post: 60_000, picture: 120_000, default: 300_000 } as const

const RETRIES = 2

/** Whether reading again may help: the server could not be reached, was overloaded, or had a bad moment. */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && ['offline', 'server', 'rate-limited'].includes(error.code)
}

/**
 * Between two attempts to read what failed, in milliseconds: a screen recovers within ten seconds of the server. Random,
 * so that not all apps ask in the same moment.
 */
const RECOVERY_MS = { least: 3_000, most: 6_000 } as const

/** Mutations that are waited for before quitting: until their last callback is done. */
function createMutationCache(): MutationCache {
  const cache = new MutationCache()
  const running = new Map<Mutation, () => void>()
  cache.subscribe(({ type, mutation }) => {
    if (type !== 'updated') return
    if (mutation.state.status !== 'pending') {
      running.get(mutation)?.()
      running.delete(mutation)
    } else if (!running.has(mutation)) {
      void finishBeforeQuitting(new Promise<void>((resolve) => running.set(mutation, resolve)))
    }
  })
  return cache
}

/** A query client for one signed-in member, so that no cache crosses members. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    // Spec section 8: fetch errors are silent on screen. Here is where every one of them is written down.
    queryCache: new QueryCache({ onError: (cause, query) => logFailure(`read ${query.queryKey[0]}`, cause) }),
    mutationCache: createMutationCache(),
    defaultOptions: {
      queries: {
        // The embedded server answers without any network: never wait for the browser to be 'online'.
        networkMode: 'always',
        staleTime: STALE.short,
        gcTime: KEEP.default,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        retry: (count, error) => count < RETRIES && isTransient(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  client.setQueryDefaults(['post'], { gcTime: KEEP.post })
  return client
}

/** One of something for each query client, made when it is first asked for: like the cache it crosses no members. */
export function onePerClient<T extends object, A extends unknown[] = []>(
  make: (...args: A) => T,
): (client: QueryClient, ...args: A) => T {
  const all = new WeakMap<QueryClient, T>()
  return (client, ...args) => {
    const one = all.get(client) ?? make(...args)
    all.set(client, one)
    return one
  }
}

/**
 * Reads again what is shown of these keys, from now on: an answer that is under way may be older than what made this
 * necessary. `invalidateQueries` alone would join a first read; it begins anew only where there is data.
 */
export async function refetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

/** What is on screen and could not be read. Never-stale queries too, which `refetchQueries` leaves out. */
function failedQueries(client: QueryClient): Query[] {
  return client
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'idle', predicate: ({ state }) => state.status === 'error' })
}

/** Repeats the fetch that failed: the whole query, or its next page. Never rejects; the query cache logs the failure. */
async function repeatFetch(query: Query): Promise<void> {
  const { fetchMeta } = query.state
  await query.fetch(undefined, fetchMeta === null ? undefined : { meta: fetchMeta }).catch(() => undefined)
}

/** Reads again what could not be read, once the server answers again. */
export async function retryFailedQueries(client: QueryClient): Promise<void> {
  await Promise.all(failedQueries(client).map(repeatFetch))
}

/**
 * Reads again what is on screen and failed for a transient reason, every few seconds: one query at a time until one
 * succeeds, then all (FEED-12). Returns what ends it.
 */
export function keepRecovering(client: QueryClient, random: () => number = Math.random): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const waiting = () => failedQueries(client).filter(({ state }) => isTransient(state.error))
  const schedule = () => {
    if (isOver || timer !== undefined || waiting().length === 0) return
    const { least, most } = RECOVERY_MS
    timer = setTimeout(attempt, least + random() * (most - least))
  }
  const attempt = async () => {
    const [probe, ...others] = waiting()
    if (probe !== undefined) {
      await repeatFetch(probe)
      if (probe.state.status !== 'error') await Promise.all(others.map(repeatFetch))
    }
    timer = undefined
    schedule()
  }
  // The cache reports every change of every query: look through it only for one that failed.
  const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
    if (query.state.status === 'error') schedule()
  })
  return () => {
    isOver = true
    unsubscribe()
    clearTimeout(timer)
  }
}
