import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { setLatest } from '#/renderer/lib/core/set-latest'
import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { forgetObjects } from './kept-objects'
import { type SignedLink, signPaths } from './requests'

/** Paths per request: eight posts with three sizes and their authors are one. */
const PATHS_PER_REQUEST = 100
/** A link is renewed this long before it expires, in milliseconds. */
export const MARGIN_MS = 120_000
/** Links kept: those of some three hundred posts. */
const LINKS_KEPT = 2_000
/** How long a link without a readable expiry is used, in milliseconds. */
const UNKNOWN_MS = 1_200_000

export interface Link extends SignedLink {
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
const linksOfClient = onePerClient((client: QueryClient) => {
  const links = new Map<string, Link>()
  const load = createBatchLoader<Link>(async (paths) => {
    const signed = await signPaths(paths)
    const now = serverNow()
    return new Map([...signed].map(([path, link]) => [path, { ...link, expiresAt: expiryOf(link.url, now) }]))
  }, PATHS_PER_REQUEST)
  const known = (path: string): Link | undefined => {
    const link = links.get(path)
    return link !== undefined && link.expiresAt - MARGIN_MS > serverNow() ? link : undefined
  }
  const sign = async (path: string): Promise<Link | null> => {
    const link = known(path) ?? (await load(path))
    if (link === null) {
      links.delete(path)
      forgetObjects(client, (gone) => gone === path)
    } else setLatest(links, path, link, LINKS_KEPT)
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

export function linksOf(client: QueryClient) {
  return linksOfClient(client, client)
}

/** Links by path, as they are cached on disk. */
export type StoredLinks = Readonly<Record<string, Link>>
