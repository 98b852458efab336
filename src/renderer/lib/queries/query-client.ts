import {
  type Mutation,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  type QueryPersister,
} from '@tanstack/react-query'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { waitUntil } from '#/renderer/lib/core/pending-work-store'
import { showIfOffline } from './offline'

/** How long fetched data counts as fresh, in milliseconds; the only place for these values. */
export const STALE = {
  /** Kept current by live events: never refetched automatically, not even after a failed refetch. */
  live: 'static',
  immutable: Number.POSITIVE_INFINITY,
  short: 15_000,
  minute: 60_000,
} as const

/** When this page started, in milliseconds since 1970. */
const STARTED_AT = Date.now()

/** Whether data was fetched before this page started: it comes from disk, and no live event has kept it current. */
export function isFromDisk({ state }: Pick<Query, 'state'>): boolean {
  return state.data !== undefined && state.dataUpdatedAt < STARTED_AT
}

/** `STALE.live` for data that is also cached on disk: refetched once after a restart. */
export function staleFromDisk(query: Pick<Query, 'state'>): number | typeof STALE.live {
  return isFromDisk(query) ? 0 : STALE.live
}

/** How long unused data stays in memory, in milliseconds. Posts far from the viewport are dropped after it. */
export const KEEP = { post: 60_000, picture: 120_000, default: 300_000 } as const

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `action` names a failed mutation in the log; without it the caller handles errors. `isAutomatic`: the member did
     * not start it, so a failure shows no message.
     */
    mutationMeta: { action: string; isAutomatic?: true }
    /** `keepsBlocked`: blocking a member does not remove them, as from conversations, which stay, closed. */
    queryMeta: { keepsBlocked?: true }
  }
}

const RETRIES = 2

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && ['offline', 'server', 'rate-limited'].includes(error.code)
}

/** Quitting waits for running mutations, until their last callback has finished. */
function createMutationCache(): MutationCache {
  const cache = new MutationCache({
    onError: (cause, _variables, _result, { meta }) => {
      if (meta === undefined) return
      logFailure(meta.action, cause)
      if (meta.isAutomatic !== true) showIfOffline(cause)
    },
  })
  const running = new Map<Mutation, () => void>()
  cache.subscribe(({ type, mutation }) => {
    if (type !== 'updated') return
    if (mutation.state.status !== 'pending') {
      running.get(mutation)?.()
      running.delete(mutation)
    } else if (!running.has(mutation)) {
      void waitUntil(new Promise<void>((resolve) => running.set(mutation, resolve)))
    }
  })
  return cache
}

/**
 * Keeps a failed read failed while it is repeated: TanStack Query would show it as pending at each retry, and screens
 * would flicker (FEED-10). Observers render the state after all updates of a fetch, so the pending state never shows.
 */
function showFailuresUntilSuccess(cache: QueryCache): void {
  const failures = new WeakMap<Query, Error>()
  cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const { status, error } = query.state
    const failure = failures.get(query)
    if (action.type === 'fetch' && status === 'pending' && failure !== undefined) {
      query.setState({ status: 'error', error: failure })
    } else if (status === 'error' && error !== null) {
      failures.set(query, error)
    } else {
      failures.delete(query)
    }
  })
}

/**
 * Creates the query client of one signed-in member, so that no cached data leaks to another member.
 * @param persister takes first reads from disk
 */
export function createQueryClient(persister?: QueryPersister): QueryClient {
  const client = new QueryClient({
    // Failed reads are silent on screen where rows of docs/product.md say 'logged', so log them all here.
    queryCache: new QueryCache({ onError: (cause, query) => logFailure(`read ${query.queryKey[0]}`, cause) }),
    mutationCache: createMutationCache(),
    defaultOptions: {
      queries: {
        // The embedded server responds without a network: never wait until the browser is 'online'.
        networkMode: 'always',
        staleTime: STALE.short,
        gcTime: KEEP.default,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        retry: (count, error) => count < RETRIES && isTransient(error),
        ...(persister && { persister }),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  client.setQueryDefaults(['post'], { gcTime: KEEP.post })
  showFailuresUntilSuccess(client.getQueryCache())
  return client
}

/**
 * Refetches the active queries under a key. Cancels running fetches first, because their response may be older than the
 * change; `invalidateQueries` alone would join a first fetch instead of restarting it.
 */
export async function refetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
