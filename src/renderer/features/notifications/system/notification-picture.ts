import type { QueryClient } from '@tanstack/react-query'
// Not the folder's index, and not the code that prepares pictures.
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { logFailure } from '#/renderer/lib/core/logger'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import { KEEP } from '#/renderer/lib/queries/query-client'
import type { Tables } from '#/shared/database.types'

/** Width and height, in pixels. */
const SIDE = 96

type AvatarColumns = Pick<Tables<'profiles'>, 'avatar_url' | 'avatar_path'>

/** The file of a member's picture; null if there is none. */
async function avatarFile({ avatar_url, avatar_path }: AvatarColumns): Promise<Blob | null> {
  if (avatar_path !== null) return loadObject(avatar_path, 'avatar')
  const isPicture = /^data:image\/(?:webp|jpeg|png);base64,./.test(avatar_url ?? '')
  return isPicture ? blobOfDataUrl(avatar_url ?? '') : null
}

/** Pictures that are loaded at once. In a burst of events by more members than these, the others' have none. */
const LOADING_MAX = 4

const KEY = ['notification picture'] as const

/**
 * A member's picture for system notifications: a small PNG as a data URL, because Electron cannot decode WebP. Undefined if
 * there is none, or it cannot be loaded or decoded, or too many others are just being loaded. It is kept for minutes, also if there is
 * none: one member can cause a hundred events a minute, and a picture may have megabytes.
 */
export async function notificationPicture(
  client: QueryClient,
  member: string,
  loadAvatar: () => Promise<AvatarColumns | null>,
): Promise<string | undefined> {
  const queryKey = [...KEY, member]
  const isKept = client.getQueryState(queryKey) !== undefined
  if (!isKept && client.isFetching({ queryKey: KEY }) >= LOADING_MAX) return undefined
  const picture = await client.fetchQuery({
    queryKey,
    queryFn: () => drawPicture(loadAvatar),
    staleTime: KEEP.default,
    gcTime: KEEP.default,
    networkMode: 'always',
  })
  return picture ?? undefined
}

/** Null if there is none. */
async function drawPicture(loadAvatar: () => Promise<AvatarColumns | null>): Promise<string | null> {
  try {
    const avatar = await loadAvatar()
    const file = avatar && (await avatarFile(avatar))
    if (file === null) return null
    const bitmap = await createImageBitmap(file)
    const canvas = new OffscreenCanvas(SIDE, SIDE)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, SIDE, SIDE)
    bitmap.close()
    const png = await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer()
    return `data:image/png;base64,${btoa(String.fromCharCode(...new Uint8Array(png)))}`
  } catch (cause) {
    logFailure('draw picture for a notification', cause)
    return null
  }
}
