import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { setLatest } from '#/renderer/lib/core/set-latest'
import { preloadPicture, type StoredSource } from '#/renderer/lib/media-store'
import { STALE } from '#/renderer/lib/queries/query-client'
import { isPostId, type TablePhoto } from './address'
import { postKeys } from './keys'
import { knownPost } from './known-posts'
import { mediaOf, tableSizes } from './model'
import { type Post, pictureOptions, postOptions, useFreshPostQuery, useInlinePictureQuery } from './queries'

/** Stands for a post that is not read yet, whose inline picture is not asked for. */
const UNREAD = [null]

/** What the light table shows of a post: first what a grid knows of it, and then the post. */
export function useTablePost(id: string) {
  const client = useQueryClient()
  const { data: post, isError, refetch } = useFreshPostQuery(id)
  const { data: picture } = useInlinePictureQuery(post ?? { id, media: UNREAD })
  const known = knownPost(client, id)
  const media = useMemo(() => (post == null ? null : mediaOf(post, picture)), [post, picture])
  return {
    /** Undefined while it is being read, null when it is deleted or hidden. */
    post,
    hasFailed: post === undefined && isError,
    refetch,
    known,
    /** Null while nothing is known about them. */
    media: post === null ? null : (media ?? known?.media ?? null),
  }
}

/** The number of photos of a post, as far as it is known; at least one. */
export function photoCount(client: QueryClient, id: string): number {
  const media = client.getQueryData<Post | null>(postKeys.post(id))?.media ?? knownPost(client, id)?.media
  return Math.max(1, media?.length ?? 0)
}

/** Reads posts and decodes their pictures ahead of time: the neighbours of the photo on the light table. */
export function useDecodedAhead(wanted: readonly TablePhoto[]): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  const names = wanted.map(({ id, photo }) => `${id} ${photo}`).join()
  useEffect(() => {
    const load = async ({ id, photo: index }: TablePhoto) => {
      const post = await client.fetchQuery({ ...postOptions(client, me, id), staleTime: STALE.live })
      if (post === null) return
      const media = mediaOf(post)
      const photo = media[Math.min(index, media.length - 1)]
      if (photo?.source.kind !== 'stored') await client.fetchQuery(pictureOptions(client, me, id))
      else await preparePicture(client, photo.source, tableSizes(photo))
    }
    const photos = names.split(',').map((name) => name.split(' '))
    // The query cache logs failures, and the light table tries again.
    for (const [id = '', photo] of photos)
      if (isPostId(id)) load({ id, photo: Number(photo) }).catch(() => undefined)
  }, [client, me, names])
}

/** Pictures that are kept decoded: the one on the light table, and those around it. */
const PREPARED = 6

const preparedOf = onePerClient(() => new Map<string, HTMLImageElement>())

function preparedKey({ sizes: stored }: StoredSource, sizes: string): string {
  return `${stored.at(-1)?.path} ${sizes}`
}

/** Loads a picture in the size that an `<img>` with these `sizes` would choose, and keeps it decoded for a while. */
async function preparePicture(client: QueryClient, source: StoredSource, sizes: string): Promise<void> {
  const image = await preloadPicture(client, source, sizes)
  if (image !== null) setLatest(preparedOf(client), preparedKey(source, sizes), image, PREPARED)
}

/**
 * The `sizes` of a picture that replaces a smaller one: undefined until the picture is decoded. A larger picture keeps the previous
 * `sizes` until it is decoded too. A picture that cannot be loaded counts as decoded, because `Picture` then shows a sentence.
 */
export function usePreparedSizes(source: StoredSource | null, wanted: string): string | undefined {
  const client = useQueryClient()
  const key = source === null ? '' : preparedKey(source, wanted)
  const path = source?.sizes.at(-1)?.path
  const [shown, setShown] = useState<{ path: string | undefined; sizes: string }>()
  const isPrepared = source === null || preparedOf(client).has(key)
  const prepare = useEffectEvent(() => (source === null ? undefined : preparePicture(client, source, wanted)))
  useEffect(() => {
    if (path === undefined) return
    let isCurrent = true
    const show = () => {
      if (isCurrent) setShown({ path, sizes: wanted })
    }
    prepare()?.then(show, show)
    return () => {
      isCurrent = false
    }
  }, [path, wanted])
  if (isPrepared) return wanted
  return shown?.path === path ? shown?.sizes : undefined
}
