import type { PGlite } from '@electric-sql/pglite'
import { PAGE_BYTES } from './compile-pglite'

/** Growth of WebAssembly memory since the database was opened, in bytes. Storing the largest video as text takes most of it. */
const GROWTH_BYTES = 256 * 1024 * 1024

/** Limits PostgreSQL's memory. Beyond the limit, statements fail with 53200 (out of memory). */
export function limitGrowth({ Module }: PGlite): void {
  const { prototype } = WebAssembly.Memory
  const { grow } = prototype
  const limit = Module.HEAPU8.byteLength + GROWTH_BYTES
  prototype.grow = function (this: WebAssembly.Memory, pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > limit) throw new RangeError('Out of memory')
    return grow.call(this, pages)
  }
}
