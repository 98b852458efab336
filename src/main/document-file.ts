import { readFileSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFile } from 'atomically'
import type * as z from 'zod/mini'
import type { Log } from './log'

/** One small JSON document on disk, held in memory, written whole. */
export interface DocumentFile<T> {
  read(): T
  /** Replaces the document, at once for who reads it and atomically on disk. Rejects with what the disk says, and is as before then. */
  write(value: T): Promise<void>
  /** Deletes the copy that was set aside because it could not be read, if there is one. */
  discardDamaged(): Promise<void>
  /** Resolves when everything written so far is on disk, or was refused. */
  settled(): Promise<void>
}

interface DocumentOptions<T> {
  directory: string
  /** File name without `.json`. */
  name: string
  schema: z.ZodMiniType<T>
  empty: T
  log: Pick<Log, 'warn' | 'error'>
}

/** What the file holds, or undefined when there is none or it does not fit the schema; such a file is set aside. */
function load<T>(
  path: string,
  damagedPath: string,
  { schema, name, log }: DocumentOptions<T>,
): T | undefined {
  let cause: unknown
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    if (parsed.success) return parsed.data
    cause = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).join(', ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    // The parser quotes what it read, and what it read may be a session.
    cause = error instanceof SyntaxError ? 'not JSON' : error
  }
  log.warn(`${name}.json cannot be used and is set aside`, cause)
  try {
    renameSync(path, damagedPath)
  } catch (error) {
    log.error(`${name}.json could not be set aside`, error)
  }
  return undefined
}

/** Opens the document, or starts an empty one; a damaged file is kept beside it as `NAME.damaged.json`. */
export function openDocument<T extends object>(options: DocumentOptions<T>): DocumentFile<T> {
  const { directory, name, empty } = options
  const path = join(directory, `${name}.json`)
  const damagedPath = join(directory, `${name}.damaged.json`)
  let current = load(path, damagedPath, options) ?? empty
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: () => current,
    write: async (value) => {
      const before = current
      current = value
      // Writes of one file follow each other, and one that Windows holds for a moment is tried again.
      const writing = writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
      last = writing.catch(() => undefined)
      try {
        await writing
      } catch (cause) {
        if (current === value) current = before
        throw cause
      }
    },
    discardDamaged: () => rm(damagedPath, { force: true }),
    settled: async () => {
      await last
    },
  }
}
