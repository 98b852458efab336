import { DEFAULT_PREFERENCES } from '#/shared/bridge'
import { openDocument } from './document-file'
import type { Log } from './log'
import { storedPreferencesSchema } from './preferences'
import { NO_SERVER, serverFileSchema } from './server-choice'
import { NO_SESSIONS, sessionsSchema } from './session-vault'

/** What the main process keeps, each in a file of its own; after `app.setPath('userData')`, if that is used. */
export function openDocuments(directory: string, log: Log) {
  return {
    preferences: openDocument({
      directory,
      name: 'preferences',
      schema: storedPreferencesSchema,
      empty: DEFAULT_PREFERENCES,
      log,
    }),
    server: openDocument({ directory, name: 'server', schema: serverFileSchema, empty: NO_SERVER, log }),
    sessions: openDocument({ directory, name: 'sessions', schema: sessionsSchema, empty: NO_SESSIONS, log }),
  }
}
