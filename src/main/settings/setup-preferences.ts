import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, nativeTheme, session } from 'electron'
import type { openDocuments } from '#/main/files/documents'
import type { CrashDumps } from '#/main/help/crash-dumps'
import type { AppImage } from '#/main/installation/app-image'
import { createLoginItem, type LoginItem } from '#/main/launch/login-item'
import type { Log } from '#/main/log'
import type { Page } from '#/main/window/page'
import { createPreferences, type PreferencesStore } from './preferences'
import { createSpellChecker, type SpellChecker } from './spell-checker'

export interface SetupPreferencesParts {
  page: Page
  documents: Pick<ReturnType<typeof openDocuments>, 'preferences'>
  appImage: AppImage | null
  crashDumps: Pick<CrashDumps, 'deleteAll'>
  log: Log
}

/** Applies the member's preferences, and connects them to the system's login items, spell checker and theme. */
export function setupPreferences({ page, documents, appImage, crashDumps, log }: SetupPreferencesParts): {
  preferences: PreferencesStore
  loginItem: LoginItem
  spellChecker: SpellChecker
} {
  const loginItem = createLoginItem({
    app,
    platform: process.platform,
    program: appImage?.path ?? process.execPath,
    configHome: process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
  })
  const spellChecker = createSpellChecker({
    session: session.defaultSession,
    app,
    platform: process.platform,
    log,
  })
  const preferences = createPreferences({
    file: documents.preferences,
    nativeTheme,
    loginItem,
    spellChecker,
    crashDumps,
    changed: (value) => page.send('preferences.changed', value),
    log,
  })
  return { preferences, loginItem, spellChecker }
}
