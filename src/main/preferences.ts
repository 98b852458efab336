import * as z from 'zod/mini'
import {
  changePreferences,
  DEFAULT_PREFERENCES,
  type Preferences,
  preferencesSchema,
  type ThemePreference,
} from '#/shared/preferences'
import type { DocumentFile } from './document-file'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import type { LoginItem } from './login-item'
import type { SpellChecker } from './spell-checker'

/** What holds before a member chose anything: on Windows an app like this stays in the tray, on Linux it ends. */
export function defaultPreferences(platform: NodeJS.Platform): Preferences {
  return { ...DEFAULT_PREFERENCES, keepRunningInTray: platform === 'win32' }
}

/** preferences.json as read: what is missing, wrong or from another version falls back, one by one. */
export function storedPreferencesSchema(fallback: Preferences): z.ZodMiniType<Preferences> {
  const { shape } = preferencesSchema
  const topics = shape.notifications.shape
  const { messages, likes, comments, follows } = fallback.notifications
  return z.object({
    theme: z.catch(shape.theme, fallback.theme),
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
    drawAttention: z.catch(shape.drawAttention, fallback.drawAttention),
    startAtLogin: z.catch(shape.startAtLogin, fallback.startAtLogin),
    keepRunningInTray: z.catch(shape.keepRunningInTray, fallback.keepRunningInTray),
    spellCheckLanguages: z.catch(shape.spellCheckLanguages, fallback.spellCheckLanguages),
  })
}

export interface PreferencesParts {
  file: DocumentFile<Preferences>
  /** Electron's nativeTheme: what it is set to, menus, dialogs and `prefers-color-scheme` follow. */
  nativeTheme: { themeSource: ThemePreference }
  loginItem: Pick<LoginItem, 'isOn' | 'set'>
  spellChecker: Pick<SpellChecker, 'setLanguages'>
  /** Tells the page. */
  changed(preferences: Preferences): void
  log: Pick<Log, 'warn'>
}

export interface PreferencesKeeper {
  handlers: HandlersOf<'preferences'>
  /** Sends the preferences to the page if the system's settings have changed. */
  refresh(): Promise<void>
}

/** Keeps the member's preferences and applies them, now and at each start. The system keeps whether the app starts at login. */
export function createPreferences(parts: PreferencesParts): PreferencesKeeper {
  const { file, nativeTheme, loginItem, spellChecker, log } = parts
  let reportedStartAtLogin: boolean | null = null
  nativeTheme.themeSource = file.read().theme
  spellChecker.setLanguages(file.read().spellCheckLanguages)

  async function current(): Promise<Preferences> {
    const startAtLogin = await loginItem.isOn().catch((cause: unknown) => {
      log.warn('start at login not read', cause)
      return false
    })
    reportedStartAtLogin = startAtLogin
    return { ...file.read(), startAtLogin }
  }
  return {
    handlers: {
      'preferences.get': current,
      'preferences.set': async (patch) => {
        const after = changePreferences(file.read(), patch)
        file.write(after)
        nativeTheme.themeSource = after.theme
        if (patch.spellCheckLanguages != null) spellChecker.setLanguages(patch.spellCheckLanguages)
        if (patch.startAtLogin !== undefined) {
          await loginItem
            .set(patch.startAtLogin)
            .catch((cause: unknown) => log.warn('start at login not set', cause))
        }
        const value = await current()
        parts.changed(value)
        return value
      },
    },
    refresh: async () => {
      const before = reportedStartAtLogin
      const value = await current()
      if (before !== null && value.startAtLogin !== before) parts.changed(value)
    },
  }
}
