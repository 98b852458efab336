import type { DocumentFile } from '#/main/document-file'

export interface MemoryDocument<T> extends DocumentFile<T> {
  /** Every document written, oldest first. */
  readonly written: T[]
  /** When set, the next writes throw it, as a full disk would. */
  failure: Error | null
  discarded: number
}

/** A document without a disk. */
export function memoryDocument<T>(initial: T): MemoryDocument<T> {
  let current = initial
  const document: MemoryDocument<T> = {
    written: [],
    failure: null,
    discarded: 0,
    read: () => current,
    write: (value) => {
      if (document.failure !== null) throw document.failure
      current = structuredClone(value)
      document.written.push(current)
    },
    discardDamaged: () => {
      document.discarded += 1
    },
  }
  return document
}
