import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openMigrated } from '#tests/backend/support/prepared'

export const MIGRATIONS = join(import.meta.dirname, '../../../../supabase/migrations')

/** Opens an in-memory PostgreSQL with Supabase's auth schema and roles and all migrations of this working copy. */
export async function openMigratedDatabase(): Promise<PGlite> {
  return (await openMigrated()).driver
}

/** Serves a database on a free loopback port while `use` runs with its connection URL. */
export async function withConnectionUrl<T>(pg: PGlite, use: (url: string) => Promise<T>): Promise<T> {
  const server = new PGLiteSocketServer({ db: pg, host: '127.0.0.1', port: 0, maxConnections: 5 })
  await server.start()
  try {
    return await use(`postgresql://postgres@${server.getServerConn()}/postgres?sslmode=disable`)
  } finally {
    await server.stop()
  }
}
