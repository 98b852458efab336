import { useQuery } from '@tanstack/react-query'
import { mediaKind } from '#/renderer/lib/media/source/kind-store'
import { STALE } from '#/renderer/lib/queries/query-client'
import { POST_PHOTOS } from '#/shared/limits'

/** Maximum number of photos per post on this server. If the server does not respond, assume that it has Storage. */
export async function loadMaxPhotos(): Promise<number> {
  const kind = await mediaKind().catch(() => 'storage')
  return kind === 'storage' ? POST_PHOTOS : 1
}

/** `loadMaxPhotos` as a hook. */
export function useMaxPhotos(): number {
  const { data } = useQuery({
    queryKey: ['max-photos'],
    queryFn: loadMaxPhotos,
    staleTime: STALE.minute,
    meta: { keepsBlocked: true },
  })
  return data ?? POST_PHOTOS
}
