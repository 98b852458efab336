import { logFailure } from '#/renderer/lib/logger'

/** Width and height, in pixels. */
const SIDE = 96

/**
 * A member's picture for system notifications: a small PNG as a data URL, because Electron cannot decode WebP. Avatars
 * are data URLs, so nothing is fetched. Undefined if there is none, or it cannot be decoded.
 */
export async function notificationPicture(avatar: string | null): Promise<string | undefined> {
  const [, type, data] = /^data:(image\/(?:webp|jpeg|png));base64,(.+)$/.exec(avatar ?? '') ?? []
  if (type === undefined || data === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type }))
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
