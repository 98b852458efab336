import type { QueryClient } from '@tanstack/react-query'

/**
 * The first part of the query keys of objects whose content the server has not checked. Each is read and checked once, and kept by
 * its path in the query cache of the member.
 */
export const OBJECT_KEY = 'checked-object'

/** The file of a picture or video that has passed the check. */
export interface KeptObject {
  /** An object URL. */
  url: string
  bytes: number
  /** Of a story: when it expires, in milliseconds since 1970. */
  until: number | null
}

/** Forgets objects that the member may no longer see: these, or all. */
export function forgetObjects(client: QueryClient, isGone: (path: string) => boolean = () => true): void {
  client.removeQueries({
    queryKey: [OBJECT_KEY],
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && isGone(path),
  })
}

const videoKey = (path: string) => [OBJECT_KEY, path, 'video'] as const

/** Remembers a video that has not passed the check while it was played. */
export function refuseVideo(client: QueryClient, path: string): void {
  client.setQueryData<KeptObject | null>(videoKey(path), null)
}

/** Whether a video has not passed the check: it is not requested again. */
export function isRefusedVideo(client: QueryClient, path: string): boolean {
  return client.getQueryData<KeptObject | null>(videoKey(path)) === null
}
