// Not the folder's index, and not the code that prepares pictures.
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { logFailure } from '#/renderer/lib/core/logger'
import { loadObject } from '#/renderer/lib/media-store/load-object'
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

/**
 * A member's picture for system notifications: a small PNG as a data URL, because Electron cannot decode WebP. Undefined if
 * there is none, or it cannot be loaded or decoded.
 */
export async function notificationPicture(member: AvatarColumns): Promise<string | undefined> {
  try {
    const file = await avatarFile(member)
    if (file === null) return undefined
    const bitmap = await createImageBitmap(file)
    const canvas = new OffscreenCanvas(SIDE, SIDE)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, SIDE, SIDE)
    bitmap.close()
    const png = await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer()
    return `data:image/png;base64,${btoa(String.fromCharCode(...new Uint8Array(png)))}`
  } catch (cause) {
    logFailure('draw picture for a notification', cause)
    return undefined
  }
}
