import type { OpenedVideo } from '#/shared/bridge'

/** A chosen file: one of the page, or a video that the app was opened with, which the main process reads in parts. */
export type MediaFile = Blob | OpenedVideo

/** The same with a name. */
export type NamedFile = File | OpenedVideo

/** Reads a part of a file; less at its end. Rejects with a DOMException `NotReadableError` if the file was changed or removed. */
export async function readPart(file: MediaFile, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file instanceof Blob) return new Uint8Array(await file.slice(from, to).arrayBuffer())
  const end = Math.min(to, file.size)
  if (from >= end) return new Uint8Array()
  const response = await fetch(file.url, { headers: { range: `bytes=${from}-${end - 1}` } })
  const bytes = response.status === 206 ? new Uint8Array(await response.arrayBuffer()) : null
  if (bytes?.length !== end - from) throw new DOMException('The file was changed', 'NotReadableError')
  return bytes
}

/** All of a file. Rejects like `readPart`. */
export async function blobOf(file: MediaFile): Promise<Blob> {
  return file instanceof Blob ? file : new File([await readPart(file, 0, file.size)], file.name)
}
