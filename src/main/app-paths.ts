import { join } from 'node:path'

// Built, this file is part of out/main/index.cjs; preload, renderer and backend lie beside out/main.
const out = join(import.meta.dirname, '..')

/** Where the built parts are, in the project as in app.asar. */
export const builtPaths = {
  preload: join(out, 'preload', 'index.cjs'),
  renderer: join(out, 'renderer'),
  backend: join(out, 'backend', 'utility.mjs'),
} as const
