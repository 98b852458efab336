import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Store from 'electron-store'
import type * as z from 'zod/mini'
import type { Log } from '#/main/log'

/** A small JSON document on disk, read once, cached in memory and always written as a whole. */
export interface DocumentFile<T> {
  read(): T
  /** Whether what was stored could not be read and was set aside. */
  readonly isDamaged: boolean
  /** Replaces the document atomically. Throws if the disk refuses, and keeps the old value then. */
  write(value: T): void
  /** Deletes the copy of an unreadable file, if there is one. */
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

/**
 * electron-store answers on this channel with the data folder and checks no sender; start-app.ts removes the listener.
 */
export const STORE_CHANNEL = 'electron-store-get-data'

/** Opens the document, or starts with `empty`. An unreadable file is renamed to `NAME.damaged.json`. */
export function openDocument<T extends object>(options: DocumentOptions<T>): DocumentFile<T> {
  const { directory, name, schema, empty, log } = options
  const path = join(directory, `${name}.json`)
  const damagedPath = join(directory, `${name}.damaged.json`)
  let store: Store<T> | null = null
  let isDamaged = false

  function parse(text: string): T {
    let stored: unknown
    try {
      // Editors of Windows write a byte order mark.
      stored = JSON.parse(text.replace(/^\uFEFF/, ''))
    } catch {
      // The parser's message quotes the file, which may contain a session.
      throw new Error('not JSON')
    }
    const parsed = schema.safeParse(stored)
    if (parsed.success) return parsed.data
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).join(', '))
  }

  /** Throws if the file is damaged: electron-store reads it immediately. */
  function openStore(): Store<T> {
    store ??= new Store<T>({
      cwd: directory,
      name,
      // One of the documents contains sessions.
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      deserialize: parse,
    })
    return store
  }

  function load(): T {
    try {
      const { store: stored } = openStore()
      return existsSync(path) ? stored : empty
    } catch (cause) {
      isDamaged = true
      log.warn(`${name}.json cannot be used and is set aside`, cause)
    }
    try {
      renameSync(path, damagedPath)
    } catch (cause) {
      log.error(`${name}.json could not be set aside`, cause)
    }
    return empty
  }

  let current = load()
  return {
    read: () => current,
    isDamaged,
    write: (value) => {
      openStore().store = value
      current = value
    },
    discardDamaged: () => rmSync(damagedPath, { force: true }),
  }
}
