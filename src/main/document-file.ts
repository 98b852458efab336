import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Store from 'electron-store'
import type * as z from 'zod/mini'
import type { Log } from './log'

/** One small JSON document on disk, held in memory, written whole. */
export interface DocumentFile<T> {
  read(): T
  /** Replaces the document, atomically. Throws what the disk says. */
  write(value: T): void
  /** Deletes the copy that was set aside because it could not be read, if there is one. */
  discardDamaged(): void
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
  const damagedPath = join(directory, `${name}.damaged.json`)
  let current = load(join(directory, `${name}.json`), damagedPath, options) ?? empty
  const store = new Store({
    cwd: directory,
    name,
    configFileMode: 0o600,
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  })
  return {
    read: () => current,
    write: (value) => {
      store.store = Object.fromEntries(Object.entries(value))
      current = value
    },
    discardDamaged: () => rmSync(damagedPath, { force: true }),
  }
}
