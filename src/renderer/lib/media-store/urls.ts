import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { KEEP } from '#/renderer/lib/queries/query-client'
import { type Link, linksOf, MARGIN_MS, type StoredLinks } from './links'
import { type StoredSource, srcSetOf } from './picture-source'
import type { SignedLink } from './requests'

/** The query of the links that are cached on disk with a row. */
export function storedLinksOptions(client: QueryClient, queryKey: QueryKey, paths: readonly string[]) {
  const { sign } = linksOf(client)
  return {
    queryKey,
    meta: { keepsBlocked: true } as const,
    gcTime: KEEP.post,
    queryFn: async (): Promise<StoredLinks> => {
      const links = await Promise.all(paths.map(sign))
      return Object.fromEntries(paths.flatMap((path, index) => (links[index] ? [[path, links[index]]] : [])))
    },
    staleTime: ({ state }: { state: { data: StoredLinks | undefined } }) =>
      paths.every((path) => (state.data?.[path]?.expiresAt ?? 0) - MARGIN_MS > serverNow())
        ? Number.POSITIVE_INFINITY
        : 0,
  }
}

/** Uses the links of a row that were on disk, unless they expire soon. */
export function restoreLinks(client: QueryClient, queryKey: QueryKey): void {
  linksOf(client).add(client.getQueryData<StoredLinks>(queryKey) ?? {})
}

/** Caches the links to a row's objects with it, so that its pictures need no request before they are loaded after a restart. */
export function useStoredLinks(queryKey: QueryKey, paths: readonly string[]): void {
  const client = useQueryClient()
  // Before the row's pictures are rendered.
  useState(() => restoreLinks(client, queryKey))
  useQuery({ ...storedLinksOptions(client, queryKey, paths), enabled: paths.length > 0 })
}

/** Links by path; paths of objects that the member may not see are missing. */
type Links = Readonly<Record<string, SignedLink>>

interface SignedLinks {
  links: Links
  /** When to sign again. */
  expiresAt: number
}

function toLinks(paths: readonly string[], links: readonly (Link | null | undefined)[]): SignedLinks {
  const found = links.flatMap((link, index) => (link ? [[paths[index] ?? '', link] as const] : []))
  return {
    links: Object.fromEntries(found),
    // An object that is hidden now may be visible soon.
    expiresAt: found.length < paths.length ? 0 : Math.min(...found.map(([, { expiresAt }]) => expiresAt)),
  }
}

/** The query of the links to objects. */
export function urlsOptions(client: QueryClient, paths: readonly string[]) {
  const links = linksOf(client)
  return {
    queryKey: ['media-urls', ...paths],
    meta: { keepsBlocked: true } as const,
    gcTime: KEEP.post,
    queryFn: async () => toLinks(paths, await Promise.all(paths.map(links.sign))),
    initialData: () => {
      const known = paths.map(links.known)
      return known.includes(undefined) ? undefined : toLinks(paths, known)
    },
    staleTime: ({ state }: { state: { data: SignedLinks | undefined } }) =>
      (state.data?.expiresAt ?? 0) - MARGIN_MS > serverNow() ? Number.POSITIVE_INFINITY : 0,
  }
}

const NONE: Links = {}

interface MediaUrls {
  /** Empty while they are being signed. */
  links: Links
  isPending: boolean
  isError: boolean
  /** Signs again, after an element could not load its link. */
  signAgain: () => Promise<unknown>
}

/** Links to objects. Signed in batches, kept until shortly before they expire. Sends no request without paths. */
export function useMediaUrls(paths: readonly string[]): MediaUrls {
  const client = useQueryClient()
  const { data, isFetching, isError, refetch } = useQuery({
    ...urlsOptions(client, paths),
    enabled: paths.length > 0,
  })
  return {
    links: data?.links ?? NONE,
    isPending: !isError && (data === undefined || isFetching),
    isError,
    signAgain: () => {
      paths.forEach(linksOf(client).forget)
      return refetch()
    },
  }
}

/**
 * Loads the size of a picture that an `<img>` with these `sizes` would choose, and decodes it. Resolves with the picture, which stays
 * decoded while it is referred to; null if it must not be shown.
 */
export async function preloadPicture(
  client: QueryClient,
  { sizes: stored, until }: StoredSource,
  sizes: string,
): Promise<HTMLImageElement | null> {
  const { sign } = linksOf(client)
  const links = await Promise.all(stored.map(({ path }) => sign(path)))
  const signed = stored.flatMap((size, index) => (links[index] ? [{ ...size, ...links[index] }] : []))
  const image = new Image()
  if (signed.every(({ isChecked }) => isChecked)) {
    image.sizes = sizes
    image.srcset = srcSetOf(signed)
  } else {
    const { preloadChecked } = await import('./checked-objects')
    const url = await preloadChecked(client, signed, sizes, until)
    if (url === null) return null
    image.src = url
  }
  await image.decode()
  return image
}

/** Signs the links that a screen is about to show. */
export function prefetchMediaUrls(client: QueryClient, paths: readonly string[]): void {
  // The query that needs them reports a failure.
  for (const path of paths)
    linksOf(client)
      .sign(path)
      .catch(() => undefined)
}
