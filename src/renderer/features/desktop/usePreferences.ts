import { useSyncExternalStore } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { DEFAULT_PREFERENCES, type Preferences, type PreferencesPatch } from '#/shared/preferences'
import { applyTheme } from './apply-theme'
import { desktop } from './desktop'

let current: Preferences = DEFAULT_PREFERENCES
const subscribers = new Set<() => void>()

function take(next: Preferences): void {
  current = next
  applyTheme(next.theme)
  for (const notify of subscribers) notify()
}

/** Loads the preferences and subscribes to their changes. */
export async function startPreferences(): Promise<void> {
  desktop.preferences.onChange(take)
  try {
    take(await desktop.preferences.get())
  } catch (cause) {
    logFailure('read preferences', cause)
  }
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  return () => subscribers.delete(notify)
}

/** The member's preferences and a function to change some of them. */
export function usePreferences(): [Preferences, (patch: PreferencesPatch) => void] {
  const preferences = useSyncExternalStore(subscribe, () => current)
  const change = (patch: PreferencesPatch) => {
    desktop.preferences.set(patch).then(take, (cause) => logFailure('save preferences', cause))
  }
  return [preferences, change]
}
