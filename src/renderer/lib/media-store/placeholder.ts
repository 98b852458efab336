import { thumbHashToDataURL } from 'thumbhash'

/** The blurred picture of a ThumbHash in base64, as a data URL; null if it is not one. */
export function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null) return null
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
  } catch {
    return null
  }
}
