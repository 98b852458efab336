import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { wait } from '#/renderer/lib/core/schedule'

/** Bytes buffered in the page before they move to a blob, which the browser can keep on disk. */
const FLUSH_BYTES = 8_000_000
/** Maximum size in bytes and number of files of a zip file without ZIP64. */
const MOST_BYTES = 0xffff_ffff
const MOST_FILES = 0xffff
/** Text is compressed in chunks of this many characters, so that the page stays responsive. */
const PIECE = 200_000

/** The data does not fit into a zip file. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge'
}

/** A zip file that grows without being held in memory as a whole. */
export interface Archive {
  /** Adds a file that is already compressed. */
  add(name: string, bytes: Uint8Array<ArrayBuffer>): void
  /** Adds a text, which can consist of several parts. */
  addText(name: string, parts: Iterable<string>): Promise<void>
  finish(): Blob
}

/** Joins texts to chunks that are large enough to compress well. */
function* inPieces(parts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const part of parts) {
    piece += part
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

/** @param now the modification time of each file */
export function createArchive(now: Date): Archive {
  const blobs: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let pending = 0
  let size = 0
  let files = 0
  let failure: unknown = null

  const flush = () => {
    blobs.push(new Blob(chunks))
    chunks = []
    pending = 0
  }
  const zip = new Zip((error, chunk) => {
    if (error !== null) {
      failure = error
      return
    }
    chunks.push(new Uint8Array(chunk))
    pending += chunk.length
    size += chunk.length
    if (pending >= FLUSH_BYTES) flush()
  })
  const check = () => {
    if (failure !== null) throw failure
    if (size > MOST_BYTES || files > MOST_FILES) throw new ArchiveTooLarge()
  }
  const open = <F extends ZipDeflate | ZipPassThrough>(file: F): F => {
    file.mtime = now
    files += 1
    zip.add(file)
    return file
  }

  return {
    add: (name, bytes) => {
      open(new ZipPassThrough(name)).push(bytes, true)
      check()
    },
    addText: async (name, parts) => {
      const file = open(new ZipDeflate(name, { level: 6 }))
      const encoder = new TextEncoder()
      for (const piece of inPieces(parts)) {
        file.push(encoder.encode(piece))
        await wait()
      }
      file.push(new Uint8Array(0), true)
      check()
    },
    finish: () => {
      zip.end()
      flush()
      check()
      return new Blob(blobs, { type: 'application/zip' })
    },
  }
}
