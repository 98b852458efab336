import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { setLatest } from '#/renderer/lib/core/set-latest'
import type { StoredMedia } from '#/renderer/lib/media-store'

/** What a grid cell shows of a post, before the post itself is read. */
export interface KnownPost {
  username: string
  /** In the sizes that the cell shows. */
  media: readonly StoredMedia[]
}

/** As many as the lists on screen have. */
const KEPT = 500

const knownPostsOf = onePerClient(() => new Map<string, KnownPost>())

/** What a grid knows of a post; undefined if the post is opened from elsewhere. */
export function knownPost(client: QueryClient, id: string): KnownPost | undefined {
  return knownPostsOf(client).get(id)
}

/** Remembers what a list shows of a post, so that the light table shows it at once; undefined forgets it. */
export function setKnownPost(client: QueryClient, id: string, known: KnownPost | undefined): void {
  if (known === undefined) knownPostsOf(client).delete(id)
  else setLatest(knownPostsOf(client), id, known, KEPT)
}

/** Remembers what a mounted cell shows of a post: it may be the neighbour of an open one. */
export function useKnownPost(id: string, known: KnownPost | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (known !== undefined) setKnownPost(client, id, known)
  }, [client, id, known])
}
