import type { PGlite } from '@electric-sql/pglite'
import { PAGE_BYTES } from './statement-state'

/** Limits by how many bytes PostgreSQL's memory may exceed what it was when the limit was installed. */
export type SetGrowthLimit = (bytes: number) => void

/** Beyond the limit PostgreSQL reports that it is out of memory (53200) and continues. */
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
