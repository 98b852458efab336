import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConfirmation, useMe } from '#/renderer/features/auth'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { openedCache } from '#/renderer/lib/disk-cache/opened-store'
import { readFrom, readThroughDisk, restoreQuery, storeQueries } from '#/renderer/lib/disk-cache/persist'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { CACHED_QUERIES, OWN_PROFILE_KEY, openMemberCache } from './cached-queries'

/** Creates the query client of a member, with the cached queries of their first screen. */
export function createMemberClient(me: string): QueryClient {
  const client = createQueryClient(readThroughDisk)
  client.setQueryDefaults(OWN_PROFILE_KEY, { gcTime: Number.POSITIVE_INFINITY })
  const opened = openedCache(me)
  if (opened === null) return client
  readFrom(client, opened.cache, CACHED_QUERIES)
  for (const stored of opened.first) restoreQuery(client, stored)
  return client
}

/** Caches the member's queries on disk. */
export function useDiskCache(client: QueryClient): void {
  const { id: me, profile } = useMe()
  const isConfirmed = useConfirmation() === 'confirmed'
  const server = useServerInfo(({ storageKey }) => storageKey)

  useEffect(() => {
    if (server === null) return
    let isOver = false
    let stop = (): void => undefined
    void openMemberCache({ server, member: me }).then(({ cache }) => {
      if (!isOver) stop = storeQueries(client, cache, CACHED_QUERIES)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [client, me, server])

  useEffect(() => {
    if (isConfirmed) client.setQueryData(OWN_PROFILE_KEY, profile)
  }, [client, isConfirmed, profile])
}
