import * as z from 'zod/mini'
import { openDocument } from './document-file'
import type { Log } from './log'
import { defaultPreferences, storedPreferencesSchema } from './preferences'
import { NO_SERVER, serverFileSchema } from './server-choice'
import { NO_SESSIONS, sessionsSchema } from './session-vault'
import { NO_PLACEMENT, windowPlacementSchema } from './window-placement'

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
