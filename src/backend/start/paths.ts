import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Resolves a path relative to the bundle (out/backend), or to this file in the source tree if it is not bundled. */
function bundledOrSource(bundled: string, source: string): string {
  const path = fileURLToPath(new URL(bundled, import.meta.url))
  return existsSync(path) ? path : fileURLToPath(new URL(source, import.meta.url))
}

export const migrationsFolder = (): string => bundledOrSource('./migrations', '../../../supabase/migrations')

export const demoAssetsFolder = (): string =>
  bundledOrSource('../../resources/demo', '../../../resources/demo')

/** The built renderer, for the browser host. */
export const rendererFolder = (): string => bundledOrSource('../renderer', '../../../out/renderer')

/** The bundled database thread; when running from source, the one of the last build. */
export const databaseThreadFile = (): string =>
  bundledOrSource('./database-thread.mjs', '../../../out/backend/database-thread.mjs')

/** The template database of the build; does not exist in the source tree. */
export const templateFolder = (): string => fileURLToPath(new URL('./template', import.meta.url))
