import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a data folder holds a snapshot; the backend writes them as `snapshots/TIME.tar.gz`. */
export async function hasSnapshot(dataDir: string): Promise<boolean> {
  const names = await readdir(join(dataDir, 'snapshots')).catch(() => [])
  return names.some((name) => name.endsWith('.tar.gz'))
}
