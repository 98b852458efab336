import { QueryClient } from '@tanstack/react-query'
import { AppError } from './errors'

/** How long what was read counts as fresh, in milliseconds; one table for the whole app. */
export const STALE = {
  /** Kept right by the app itself and by what arrives live. */
  live: Number.POSITIVE_INFINITY,
  /** Never changes: a stored picture. */
  immutable: Number.POSITIVE_INFINITY,
  short: 15_000,
  minute: 60_000,
} as const

/** How long what nobody shows is kept in memory, in milliseconds. Posts far from the reader are dropped by it. */
export const KEEP = { post: 60_000, picture: 120_000, default: 300_000 } as const

const RETRIES = 2

/** A query client for one signed-in member, so that no cache crosses members. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The embedded server answers without any network: never wait for the browser to be 'online'.
        networkMode: 'always',
        staleTime: STALE.short,
        gcTime: KEEP.default,
        refetchOnWindowFocus: false,
        retry: (count, error) =>
          count < RETRIES &&
          error instanceof AppError &&
          (error.code === 'offline' || error.code === 'server'),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
