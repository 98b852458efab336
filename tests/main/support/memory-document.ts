import type { DocumentFile } from '#/main/files/document-file'

export interface MemoryDocument<T> extends DocumentFile<T> {
  /** All written documents, oldest first. */
  readonly written: T[]
  /** The error that writes throw, like a full disk. */
  failure: Error | null
  discarded: number
}

/** An in-memory DocumentFile. */
export function memoryDocument<T>(initial: T, isDamaged = false): MemoryDocument<T> {
  let current = initial
  const document: MemoryDocument<T> = {
    written: [],
    failure: null,
    isDamaged,
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
