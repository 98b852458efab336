import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { wait } from '#/renderer/lib/core/schedule'

/** Bytes buffered in the page before they move to a blob, which the browser can keep on disk. */
const FLUSH_BYTES = 8_000_000
/**
 * Bytes of an archive after which another begins. The texts come last, and are not split: of the most that a download reads, 400 million
 * characters, they have less than what is left to 4 GB.
 */
const PART_BYTES = 3_500_000_000
/** The bytes of a file that are in memory at once. */
const SLICE_BYTES = 8_000_000
/** Maximum size in bytes and number of files of a zip file without ZIP64. */
const MOST_BYTES = 0xffff_ffff
const MOST_FILES = 0xffff
/** Text is compressed in chunks of this many characters, so that the page stays responsive. */
const PIECE = 200_000

/** The data does not fit into a zip file. */
export class ArchiveTooLarge extends Error {
  override readonly name = 'ArchiveTooLarge'
}

/** Zip files that grow without being held in memory as a whole. */
export interface Archive {
  /** Adds a file that is already compressed, to another zip file if it does not fit into this one. */
  add(name: string, content: Blob): Promise<void>
  /** Adds a text, which can consist of several parts. */
  addText(name: string, parts: Iterable<string>): Promise<void>
  /** The zip files, to be unpacked into one folder. */
  finish(): [Blob, ...Blob[]]
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

interface ZipFile {
  size: () => number
  open: <F extends ZipDeflate | ZipPassThrough>(file: F) => F
  check: () => void
  finish: () => Blob
}

function createZip(now: Date): ZipFile {
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
    size: () => size,
    open,
    check,
    finish: () => {
      zip.end()
      flush()
      check()
      return new Blob(blobs, { type: 'application/zip' })
    },
  }
}

/** @param now the modification time of each file */
export function createArchive(now: Date, partBytes = PART_BYTES): Archive {
  const finished: Blob[] = []
  let zip = createZip(now)

  return {
    add: async (name, content) => {
      if (zip.size() > 0 && zip.size() + content.size > partBytes) {
        finished.push(zip.finish())
        zip = createZip(now)
      }
      const file = zip.open(new ZipPassThrough(name))
      for (let start = 0; start < content.size; start += SLICE_BYTES) {
        const slice = content.slice(start, start + SLICE_BYTES)
        file.push(new Uint8Array(await slice.arrayBuffer()))
      }
      file.push(new Uint8Array(0), true)
      zip.check()
    },
    addText: async (name, parts) => {
      const file = zip.open(new ZipDeflate(name, { level: 6 }))
      const encoder = new TextEncoder()
      for (const piece of inPieces(parts)) {
        file.push(encoder.encode(piece))
        await wait()
      }
      file.push(new Uint8Array(0), true)
      zip.check()
    },
    finish: () => {
      const [first, ...others] = [...finished, zip.finish()]
      return [first, ...others]
    },
  }
}
