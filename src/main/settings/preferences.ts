import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { DocumentFile } from '#/main/files/document-file'
import type { CrashDumps } from '#/main/help/crash-dumps'
import type { HandlersOf } from '#/main/ipc'
import type { LoginItem } from '#/main/launch/login-item'
import type { Log } from '#/main/log'
import {
  applyPreferencesPatch,
  DEFAULT_PREFERENCES,
  type Preferences,
  type ThemePreference,
} from '#/shared/preferences'
import { preferencesSchema } from '#/shared/preferences-schema'
import type { SpellChecker } from './spell-checker'

/** Defaults per platform: apps like this stay in the tray on Windows, and quit on Linux. */
export function defaultPreferences(platform: NodeJS.Platform): Preferences {
  return { ...DEFAULT_PREFERENCES, keepRunningInTray: platform === 'win32' }
}

/** The schema of preferences.json. Each missing or invalid value falls back separately. */
export function storedPreferencesSchema(fallback: Preferences): z.ZodMiniType<Preferences> {
  const { shape } = preferencesSchema
  const topics = shape.notifications.shape
  const { messages, likes, comments, follows } = fallback.notifications
  return z.object({
    theme: z.catch(shape.theme, fallback.theme),
    lightTable: z.catch(shape.lightTable, fallback.lightTable),
    notifications: z.catch(
      z.object({
        messages: z.catch(topics.messages, messages),
        likes: z.catch(topics.likes, likes),
        comments: z.catch(topics.comments, comments),
        follows: z.catch(topics.follows, follows),
      }),
      fallback.notifications,
    ),
    notificationsPausedUntil: z.catch(shape.notificationsPausedUntil, fallback.notificationsPausedUntil),
    notificationContent: z.catch(shape.notificationContent, fallback.notificationContent),
    textOnLockScreen: z.catch(shape.textOnLockScreen, fallback.textOnLockScreen),
    drawAttention: z.catch(shape.drawAttention, fallback.drawAttention),
    startAtLogin: z.catch(shape.startAtLogin, fallback.startAtLogin),
    keepRunningInTray: z.catch(shape.keepRunningInTray, fallback.keepRunningInTray),
    hardwareAcceleration: z.catch(shape.hardwareAcceleration, fallback.hardwareAcceleration),
    keepCrashDumps: z.catch(shape.keepCrashDumps, fallback.keepCrashDumps),
    playStoriesOn: z.catch(shape.playStoriesOn, fallback.playStoriesOn),
    playVideos: z.catch(shape.playVideos, fallback.playVideos),
    spellCheckLanguages: z.catch(shape.spellCheckLanguages, fallback.spellCheckLanguages),
  })
}

export interface PreferencesParts {
  file: DocumentFile<Preferences>
  /** Electron's nativeTheme. Menus, dialogs and `prefers-color-scheme` follow its `themeSource`. */
  nativeTheme: { themeSource: ThemePreference }
  loginItem: Pick<LoginItem, 'isOn' | 'set'>
  spellChecker: Pick<SpellChecker, 'setLanguages'>
  crashDumps: Pick<CrashDumps, 'deleteAll'>
  changed(preferences: Preferences): void
  log: Pick<Log, 'warn'>
}

export interface PreferencesStore {
  handlers: HandlersOf<'preferences'>
  /** Sends the preferences to the page if the system's login setting or the app itself has changed them. */
  refresh(): Promise<void>
}

/** Stores the member's preferences and applies them. Starting at login is stored by the system. */
export function createPreferences(parts: PreferencesParts): PreferencesStore {
  const { file, nativeTheme, loginItem, spellChecker, log } = parts
  let reported: Preferences | null = null
  nativeTheme.themeSource = file.read().theme
  spellChecker.setLanguages(file.read().spellCheckLanguages)

  async function readAll(): Promise<Preferences> {
    const startAtLogin = await loginItem.isOn().catch((cause: unknown) => {
      log.warn('could not read the login item', cause)
      return false
    })
    reported = { ...file.read(), startAtLogin }
    return reported
  }
  return {
    handlers: {
      'preferences.get': readAll,
      'preferences.set': async (patch) => {
        const after = applyPreferencesPatch(file.read(), patch)
        file.write(after)
        nativeTheme.themeSource = after.theme
        if (patch.spellCheckLanguages !== undefined) spellChecker.setLanguages(patch.spellCheckLanguages)
        if (patch.keepCrashDumps === false) await parts.crashDumps.deleteAll()
        if (patch.startAtLogin !== undefined) {
          await loginItem
            .set(patch.startAtLogin)
            .catch((cause: unknown) => log.warn('could not change the login item', cause))
        }
        const value = await readAll()
        parts.changed(value)
        return value
      },
    },
    refresh: async () => {
      const before = reported
      const value = await readAll()
      if (before !== null && !isDeepStrictEqual(value, before)) parts.changed(value)
    },
  }
}
