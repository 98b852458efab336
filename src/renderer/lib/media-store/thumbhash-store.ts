import { thumbHashToDataURL } from 'thumbhash'
import { setLatest } from '#/renderer/lib/core/set-latest'

/** Decoded hashes that are kept: those of the photos near the viewport. */
const KEPT = 50
/** A photo and the backdrop around it show the same hash, and decoding one takes milliseconds. */
const decoded = new Map<string, string>()

/** The picture of a ThumbHash in base64, as a data URL. Throws if the hash is invalid. */
export function decodeThumbhash(thumbhash: string): string {
  const known = decoded.get(thumbhash)
  if (known !== undefined) return known
  const url = thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
  setLatest(decoded, thumbhash, url, KEPT)
  return url
}
