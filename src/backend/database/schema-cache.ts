import { readFile, rm } from 'node:fs/promises'
import type { CacheDriver } from '@supabase/lite'
import * as z from 'zod'
import { writeFileAtomic } from '#/backend/storage/write-file-atomic'
import { LITE_VERSION } from './lite-app'

const fileSchema = z.strictObject({ key: z.string(), schema: z.string() })

export interface SchemaCache extends CacheDriver {
  /** Call when the schema has changed. */
  clear(): Promise<void>
}

/**
 * Caches lite's introspection of the schema between starts, because it takes longer than opening the database. The cache is
 * valid for the same migrations and the same version of lite; an invalid file is ignored.
 * @param fallback the file of the template, read if `path` has no valid cache
 */
export function createSchemaCache(path: string, migrationsHash: string, fallback?: string): SchemaCache {
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
    get: async () => (await read(path)) ?? (fallback === undefined ? undefined : await read(fallback)),
    set: (_, schema) => writeFileAtomic(path, JSON.stringify({ key, schema })),
    // Lite deletes its cache whenever it closes the connection, but this one must survive that.
    delete: async () => undefined,
    clear: () => rm(path, { force: true }),
  }
}
