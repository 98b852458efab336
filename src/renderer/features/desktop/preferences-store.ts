import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  type PreferencesPatch,
  type ThemePreference,
} from '#/shared/preferences'
import { desktop } from './desktop'

const usePreferencesStore = create<Preferences>(() => DEFAULT_PREFERENCES)

/** Applies a theme; `system` follows the system's colour scheme (in Electron: nativeTheme's). */
function applyTheme(theme: ThemePreference): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

function applyPreferences(preferences: Preferences): void {
  usePreferencesStore.setState(preferences, true)
  applyTheme(preferences.theme)
}

/** Loads the preferences and subscribes to their changes. */
export async function startPreferences(): Promise<void> {
  desktop.preferences.onChange(applyPreferences)
  try {
    applyPreferences(await desktop.preferences.get())
  } catch (cause) {
    logFailure('read preferences', cause)
  }
}

function changePreferences(patch: PreferencesPatch): void {
  desktop.preferences.set(patch).then(applyPreferences, (cause) => logFailure('save preferences', cause))
}

/** The member's preferences and a function to change some of them. */
export function usePreferences(): [Preferences, (patch: PreferencesPatch) => void] {
  return [usePreferencesStore(), changePreferences]
}
