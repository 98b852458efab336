import { readFile, rm } from 'node:fs/promises'
import type { CacheDriver } from '@supabase/lite'
import * as z from 'zod'
import { writeDurably } from '#/backend/storage/durable-file'
import { LITE_VERSION } from './lite-app'

const fileSchema = z.strictObject({ key: z.string(), schema: z.string() })

export interface SchemaCache extends CacheDriver {
  /** The schema has changed. */
  forget(): Promise<void>
}

/**
 * Keeps lite's picture of the database schema from one start to the next: reading it anew takes longer than opening
 * the database. It is used for the very same migrations and the same lite only; a file that cannot be read is none.
 * @param prepared a file to read where `path` is missing: the picture that came with a prepared first start
 */
export function createSchemaCache(path: string, migrationsHash: string, prepared?: string): SchemaCache {
  const key = `${LITE_VERSION} ${migrationsHash}`
  const read = async (file: string): Promise<string | undefined> => {
    try {
      const found = fileSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      return found.key === key ? found.schema : undefined
    } catch {
      return undefined
    }
  }
  return {
    get: async () => (await read(path)) ?? (prepared === undefined ? undefined : await read(prepared)),
    set: (_, schema) => writeDurably(path, JSON.stringify({ key, schema })),
    // Lite forgets at every close of the connection, which is what this is to outlive.
    delete: async () => undefined,
    forget: () => rm(path, { force: true }),
  }
}
