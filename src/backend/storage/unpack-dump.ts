import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** A header fills one block, and a file's content is padded to blocks. */
const BLOCK_BYTES = 512
const FOLDER = '5'

/**
 * Unpacks a dump (`.tar.gz`) into a new folder. Rejects if the dump is damaged; some files may exist by then. PGlite could unpack
 * it too, but holds all of it in memory, several times, which the process does not return.
 */
export async function unpackDump(path: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await pipeline(createReadStream(path), createGunzip(), (chunks) => writeEntries(readBytes(chunks), folder))
}

async function writeEntries(read: ReadBytes, folder: string): Promise<void> {
  for (;;) {
    const header = Buffer.alloc(BLOCK_BYTES)
    let filled = 0
    await read(BLOCK_BYTES, (part) => {
      filled += part.copy(header, filled)
    })
    // The archive ends with empty blocks.
    if (header[0] === 0) return
    const { name, type, size } = parseHeader(header)
    const target = join(folder, name)
    if (!`${target}${sep}`.startsWith(`${folder}${sep}`))
      throw new Error('The dump has a file outside its folder')
    if (type === FOLDER) {
      mkdirSync(target, { recursive: true, mode: 0o700 })
      continue
    }
    const file = openSync(target, 'wx', 0o600)
    try {
      await read(size, (part) => writeAll(file, part))
    } finally {
      closeSync(file)
    }
    await read(-size & (BLOCK_BYTES - 1), () => undefined)
  }
}

function parseHeader(header: Buffer): { name: string; type: string; size: number } {
  const field = (from: number, length: number) => {
    const [text = ''] = header.toString('utf8', from, from + length).split('\0')
    return text
  }
  const [name, prefix] = [field(0, 100), field(345, 155)]
  const size = Number.parseInt(field(124, 12), 8)
  if (Number.isNaN(size) || field(257, 5) !== 'ustar') throw new Error('The dump is not a tar archive')
  return { name: join(prefix, name), type: field(156, 1), size }
}

function writeAll(file: number, part: Buffer): void {
  for (let from = 0; from < part.length; ) from += writeSync(file, part, from)
}

/** Passes on the next bytes, in parts. Rejects if there are fewer. */
type ReadBytes = (length: number, take: (part: Buffer) => void) => Promise<void>

function readBytes(chunks: AsyncIterable<Buffer>): ReadBytes {
  const iterator = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (length, take) => {
    let left = length
    while (left > 0) {
      if (rest.length === 0) {
        const next = await iterator.next()
        if (next.done === true) throw new Error('The dump ends early')
        rest = next.value
      }
      const part = rest.subarray(0, left)
      rest = rest.subarray(part.length)
      left -= part.length
      take(part)
    }
  }
}
