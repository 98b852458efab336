import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'

/** `Notice.owner` of a member on the current server; undefined where a browser cannot hash, which asks for no answers either. */
export async function noticeOwner(me: string): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined
  const name = new TextEncoder().encode(storageKeyPrefix('notice', me))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', name))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
