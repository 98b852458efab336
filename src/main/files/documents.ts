import * as z from 'zod/mini'
import type { Log } from '#/main/log'
import { NO_SERVER, serverFileSchema } from '#/main/server/server-choice'
import { NO_SESSIONS, sessionsSchema } from '#/main/session/session-vault'
import { defaultPreferences, storedPreferencesSchema } from '#/main/settings/preferences'
import { NO_PLACEMENT, windowPlacementSchema } from '#/main/window/window-placement'
import { openDocument } from './document-file'

/** Hints and questions that were already shown. Each is shown once. */
const hintsSchema = z.object({
  tray: z.catch(z.boolean(), false),
  /** The offer to move to the Applications folder of macOS. */
  applications: z.catch(z.boolean(), false),
})

export type Hints = z.infer<typeof hintsSchema>

const NO_HINTS: Hints = { tray: false, applications: false }

/** Opens the main process's documents, one file each. Call after `app.setPath('userData')`. */
export function openDocuments(directory: string, platform: NodeJS.Platform, log: Log) {
  const preferences = defaultPreferences(platform)
  return {
    preferences: openDocument({
      directory,
      name: 'preferences',
      schema: storedPreferencesSchema(preferences),
      empty: preferences,
      log,
    }),
    hints: openDocument({ directory, name: 'hints', schema: hintsSchema, empty: NO_HINTS, log }),
    server: openDocument({ directory, name: 'server', schema: serverFileSchema, empty: NO_SERVER, log }),
    window: openDocument({
      directory,
      name: 'window',
      schema: windowPlacementSchema,
      empty: NO_PLACEMENT,
      log,
    }),
    sessions: openDocument({ directory, name: 'sessions', schema: sessionsSchema, empty: NO_SESSIONS, log }),
  }
}
