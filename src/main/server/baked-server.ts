import type { ServerSettings } from './server-choice'

/** Defined by electron.vite.config.ts. */
declare const __BAKED_SERVER__: ServerSettings

/**
 * The server set by environment variables at build time, for a build tied to one project. Empty in every other build.
 */
export const bakedServer: ServerSettings = __BAKED_SERVER__
