import type { PGlite } from '@electric-sql/pglite'
import { PAGE_BYTES } from './statement-state'

/** Sets the limit of memory growth, in bytes since `limitGrowth` was called. */
export type SetGrowthLimit = (bytes: number) => void

/** Limits the growth of PostgreSQL's memory. Beyond the limit, statements fail with 53200 (out of memory). */
export function limitGrowth({ Module }: PGlite): SetGrowthLimit {
  const { prototype } = WebAssembly.Memory
  const { grow } = prototype
  const atStart = Module.HEAPU8.byteLength
  let limit = Number.POSITIVE_INFINITY
  prototype.grow = function (this: WebAssembly.Memory, pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > atStart + limit) throw new RangeError('Out of memory')
    return grow.call(this, pages)
  }
  return (bytes) => {
    limit = bytes
  }
}
