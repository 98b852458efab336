import { open } from 'node:fs/promises'
import { ReadableStream as NodeStream } from 'node:stream/web'

/** A stream of chunks. A Response made of a buffer would copy it. */
export function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return NodeStream.from(chunks) as ReadableStream<Uint8Array>
}

/** Bytes that are read from the disk at a time. */
const CHUNK = 64 * 1024

/**
 * A part of a file, of which the next bytes are read when the client has taken those before. Opens it when the first are read.
 * @param end exclusive
 */
export function streamFile(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  return NodeStream.from(readFile(path, start, end)) as ReadableStream<Uint8Array>
}

async function* readFile(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    for (let at = start; at < end; ) {
      const length = Math.min(CHUNK, end - at)
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      if (bytesRead === 0) throw new Error('A file is shorter than it was')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
