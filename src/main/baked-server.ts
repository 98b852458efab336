import type { ServerSettings } from './server-choice'

/** Filled in by electron.vite.config.ts. */
declare const __BAKED_SERVER__: ServerSettings

/** The server named by the environment of the build: a copy of the app for one project. Empty in every other build. */
export const bakedServer: ServerSettings = __BAKED_SERVER__
