import { wait } from '#/renderer/lib/core/schedule'

/** Characters decoded at a time, a multiple of four. Decoding a whole video at once would block the page. */
const SLICE = 1_000_000

/** Decodes a `data:…;base64,` URL. The content security policy forbids fetching one. */
export async function blobOfDataUrl(url: string): Promise<Blob> {
  const comma = url.indexOf(',')
  const type = url.slice('data:'.length, url.indexOf(';'))
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = comma + 1; at < url.length; at += SLICE) {
    parts.push(decodeBase64(url.slice(at, at + SLICE)))
    if (at + SLICE < url.length) await wait()
  }
  return new Blob(parts, { type })
}

/** Throws a `DOMException` if the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)
  return bytes
}
