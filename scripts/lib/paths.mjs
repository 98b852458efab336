// @ts-check
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** The built browser host and embedded backend. */
export const BACKEND_CLI = join(ROOT, 'out/backend/cli.mjs')

/**
 * Where the app keeps what belongs to the person at this machine: the folder Electron calls userData, so that both
 * hosts find the same community.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {string} home
 */
export function userDataFolder(env = process.env, platform = process.platform, home = homedir()) {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Vignette')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Vignette')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Vignette')
}
