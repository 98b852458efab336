import type { QueryClient } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/queries/query-client'
import { type KeptPicture, OBJECT_KEY } from './kept-objects'
import type { PictureSize } from './picture-source'

/** The code that reads and checks is not in the first load: the embedded server checks objects itself. */
const readers = () => import('./read-object')

/** read-object.ts decides how many are kept, and for how long. */
const KEPT = {
  meta: { keepsBlocked: true },
  staleTime: STALE.immutable,
  gcTime: Number.POSITIVE_INFINITY,
} as const

/**
 * The query of a picture that the server has not checked; null if it must not be shown.
 * @param until of a story: when it expires
 */
export function pictureOptions(client: QueryClient, { path, use }: PictureSize, until?: string) {
  return {
    ...KEPT,
    queryKey: [OBJECT_KEY, path, use],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<KeptPicture | null> =>
      (await readers()).readPicture(client, { path, use, until, signal }),
  }
}

/** The query of whether an object that the server has not checked is the video that its path says. */
export function videoOptions(client: QueryClient, path: string) {
  return {
    ...KEPT,
    queryKey: [OBJECT_KEY, path, 'video'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<boolean> =>
      (await readers()).checkVideo(client, path, signal),
  }
}
