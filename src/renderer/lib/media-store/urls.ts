import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createBatchLoader } from '#/renderer/lib/batch-loader'
import { serverNow } from '#/renderer/lib/clock-store'
import { KEEP, onePerClient } from '#/renderer/lib/query-client'
import { useServerInfo } from '#/renderer/lib/server-info'
import { setLatest } from '#/renderer/lib/set-latest'
import { srcSetOf } from './picture-source'
import { signPaths } from './requests'

/** Paths per request: eight posts with three sizes and their authors are one. */
const PATHS_PER_REQUEST = 100
/** A link is renewed this long before it expires, in milliseconds. */
const MARGIN_MS = 120_000
/** Links kept: those of some three hundred posts. */
const LINKS_KEPT = 2_000
/** How long a link without a readable expiry is used, in milliseconds. */
const UNKNOWN_MS = 1_200_000

interface Link {
  url: string
  /** By the server's clock, in milliseconds. */
  expiresAt: number
}

/** When a link expires, by the `exp` claim of its token. */
export function expiryOf(url: string, now: number): number {
  try {
    const [, claims = ''] = (new URL(url).searchParams.get('token') ?? '').split('.')
    const { exp }: { exp?: unknown } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof exp === 'number') return exp * 1_000
  } catch {
    // Not a JSON Web Token.
  }
  return now + UNKNOWN_MS
}

/** The links of one member, by path: the same link is used everywhere, so that the browser's cache works. */
const linksOf = onePerClient(() => {
  const links = new Map<string, Link>()
  const load = createBatchLoader<Link>(async (paths) => {
    const signed = await signPaths(paths)
    const now = serverNow()
    return new Map([...signed].map(([path, url]) => [path, { url, expiresAt: expiryOf(url, now) }]))
  }, PATHS_PER_REQUEST)
  const known = (path: string): Link | undefined => {
    const link = links.get(path)
    return link !== undefined && link.expiresAt - MARGIN_MS > serverNow() ? link : undefined
  }
  const sign = async (path: string): Promise<Link | null> => {
    const link = known(path) ?? (await load(path))
    if (link === null) links.delete(path)
    else setLatest(links, path, link, LINKS_KEPT)
    return link
  }
  const add = (stored: StoredLinks) => {
    const { server } = useServerInfo.getState()
    // The address of an embedded server changes.
    for (const [path, link] of Object.entries(stored))
      if (server !== null && link.url.startsWith(`${server.url}/`) && known(path) === undefined)
        setLatest(links, path, link, LINKS_KEPT)
  }
  return { known, sign, add, forget: (path: string) => links.delete(path) }
})

/** Links by path, as they are cached on disk. */
export type StoredLinks = Readonly<Record<string, Link>>

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
type Urls = Readonly<Record<string, string>>

interface SignedUrls {
  urls: Urls
  /** When to sign again. */
  expiresAt: number
}

function toUrls(paths: readonly string[], links: readonly (Link | null | undefined)[]): SignedUrls {
  const found = links.flatMap((link, index) => (link ? [[paths[index] ?? '', link] as const] : []))
  return {
    urls: Object.fromEntries(found.map(([path, { url }]) => [path, url])),
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
    queryFn: async () => toUrls(paths, await Promise.all(paths.map(links.sign))),
    initialData: () => {
      const known = paths.map(links.known)
      return known.includes(undefined) ? undefined : toUrls(paths, known)
    },
    staleTime: ({ state }: { state: { data: SignedUrls | undefined } }) =>
      (state.data?.expiresAt ?? 0) - MARGIN_MS > serverNow() ? Number.POSITIVE_INFINITY : 0,
  }
}

const NONE: Urls = {}

interface MediaUrls {
  /** Empty while they are being signed. */
  urls: Urls
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
    urls: data?.urls ?? NONE,
    isPending: (data === undefined && !isError) || isFetching,
    isError,
    signAgain: () => {
      paths.forEach(linksOf(client).forget)
      return refetch()
    },
  }
}

/** Loads the size of a picture that an `<img>` with these `sizes` would choose into the browser's cache. */
export async function preloadPicture(
  client: QueryClient,
  stored: readonly { path: string; width: number }[],
  sizes: string,
): Promise<void> {
  const { sign } = linksOf(client)
  const links = await Promise.all(stored.map(({ path }) => sign(path)))
  const image = new Image()
  image.sizes = sizes
  image.srcset = srcSetOf(
    stored.flatMap(({ width }, index) => (links[index] ? [{ url: links[index].url, width }] : [])),
  )
  await image.decode()
}

/** Signs the links that a screen is about to show. */
export function prefetchMediaUrls(client: QueryClient, paths: readonly string[]): void {
  // The query that needs them reports a failure.
  for (const path of paths)
    linksOf(client)
      .sign(path)
      .catch(() => undefined)
}
