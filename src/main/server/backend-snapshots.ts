import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a data folder contains a snapshot (`snapshots/TIME.tar.gz`, written by the backend). */
export async function hasSnapshot(dataDir: string): Promise<boolean> {
  const names = await readdir(join(dataDir, 'snapshots')).catch(() => [])
  return names.some((name) => name.endsWith('.tar.gz'))
}
