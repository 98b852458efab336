import * as z from 'zod/mini'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  preferencesSchema,
  type ThemePreference,
} from '#/shared/bridge'
import type { DocumentFile } from './document-file'
import type { HandlersOf } from './ipc'

const { theme } = preferencesSchema.shape

/** preferences.json as read: what is missing, wrong or from another version falls back, one by one. */
export const storedPreferencesSchema: z.ZodMiniType<Preferences> = z.object({
  theme: z.catch(theme, DEFAULT_PREFERENCES.theme),
})

export interface PreferencesParts {
  file: DocumentFile<Preferences>
  /** Electron's nativeTheme: what it is set to, menus, dialogs and `prefers-color-scheme` follow. */
  nativeTheme: { themeSource: ThemePreference }
  /** Tells the page. */
  changed(preferences: Preferences): void
}

/** Keeps the member's preferences and applies them, now and at each start. */
export function createPreferences({
  file,
  nativeTheme,
  changed,
}: PreferencesParts): HandlersOf<'preferences'> {
  const apply = (preferences: Preferences) => {
    nativeTheme.themeSource = preferences.theme
  }
  apply(file.read())
  return {
    'preferences.get': () => file.read(),
    'preferences.set': (change) => {
      const before = file.read()
      const after: Preferences = { theme: change.theme ?? before.theme }
      file.write(after)
      apply(after)
      changed(after)
      return after
    },
  }
}
