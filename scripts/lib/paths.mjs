// @ts-check
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The project folder. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** The built command line of the embedded backend. */
export const BACKEND_CLI = join(ROOT, 'out/backend/cli.mjs')

/**
 * Electron's `userData` folder, so that the desktop app and the browser host share one community.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {string} home
 */
export function userDataFolder(env = process.env, platform = process.platform, home = homedir()) {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Vignette')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Vignette')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Vignette')
}
