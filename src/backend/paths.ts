import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file beside the built bundle (out/backend), else the same one in the source tree (this is src/backend). */
function besideBundleOr(bundled: string, source: string): string {
  const beside = fileURLToPath(new URL(bundled, import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL(source, import.meta.url))
}

/** Folder of the server's migrations. */
export const migrationsFolder = (): string => besideBundleOr('./migrations', '../../supabase/migrations')

/** Pictures of the demo community: the same two levels up from out/backend and src/backend. */
export const demoAssetsFolder = (): string => fileURLToPath(new URL('../../resources/demo', import.meta.url))

/** The built renderer, for the browser host. */
export const rendererFolder = (): string => besideBundleOr('../renderer', '../../out/renderer')

/** The bundled database thread; a source tree runs the one that was built. */
export const databaseThreadFile = (): string =>
  besideBundleOr('./database-thread.mjs', '../../out/backend/database-thread.mjs')

/** The prepared first start, which the build makes; the source tree has none. */
export const templateFolder = (): string => fileURLToPath(new URL('./template', import.meta.url))
