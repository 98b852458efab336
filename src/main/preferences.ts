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
  })
}

export interface PreferencesParts {
  file: DocumentFile<Preferences>
  /** Electron's nativeTheme: what it is set to, menus, dialogs and `prefers-color-scheme` follow. */
  nativeTheme: { themeSource: ThemePreference }
  /** Tells the system whether to start the app at login; a failure is its own affair. */
  setStartAtLogin(startsAtLogin: boolean): void
  /** Tells the page. */
  changed(preferences: Preferences): void
}

/** Keeps the member's preferences and applies them, now and at each start. */
export function createPreferences(parts: PreferencesParts): HandlersOf<'preferences'> {
  const { file, nativeTheme } = parts
  nativeTheme.themeSource = file.read().theme
  return {
    'preferences.get': () => file.read(),
    'preferences.set': (patch) => {
      const before = file.read()
      const after = changePreferences(before, patch)
      file.write(after)
      nativeTheme.themeSource = after.theme
      // Only when it changed: the system keeps it, and its own settings may have the last word.
      if (after.startAtLogin !== before.startAtLogin) parts.setStartAtLogin(after.startAtLogin)
      parts.changed(after)
      return after
    },
  }
}
