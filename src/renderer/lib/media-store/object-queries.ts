import type { QueryClient } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/queries/query-client'
import type { ObjectUse } from './check-object'
import { type KeptObject, OBJECT_KEY } from './kept-objects'

/** The code that reads and checks is not in the first load: the embedded server checks objects itself. */
const readers = () => import('./read-object')

/** read-object.ts decides how many are kept, and for how long. */
const KEPT = {
  meta: { keepsBlocked: true },
  staleTime: STALE.immutable,
  gcTime: Number.POSITIVE_INFINITY,
} as const

/**
 * The query of a picture or video that the server has not checked; null if it must not be shown.
 * @param until of a story: when it expires
 */
export function objectOptions(
  client: QueryClient,
  { path, use }: { path: string; use: ObjectUse },
  until?: string,
) {
  return {
    ...KEPT,
    queryKey: [OBJECT_KEY, path, use],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<KeptObject | null> =>
      (await readers()).readObject(client, { path, use, until, signal }),
  }
}
