import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** Bytes that are kept in the page before they are handed to the browser, which moves large blobs to disk. */
const FLUSH_BYTES = 8_000_000
/** What a zip file without its 64-bit extension can hold, in bytes, and how many files. */
const MOST_BYTES = 0xffff_ffff
const MOST_FILES = 0xffff
/** Text is compressed in pieces, between which the page answers; in characters. */
const PIECE = 200_000

/** The archive would hold more than a zip file can. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge'
}

/** A zip file that grows: what was added is never held in the page's memory as a whole. */
export interface Archive {
  /** Adds a file that is compressed already. */
  add(name: string, bytes: Uint8Array<ArrayBuffer>): void
  /** Adds a text, which may come in parts. */
  addText(name: string, parts: Iterable<string>): Promise<void>
  finish(): Blob
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Texts joined to pieces of a size worth compressing at once. */
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

/** @param now stands beside each file as its time. */
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
        await nextTask()
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
