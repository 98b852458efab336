import type { QueryClient } from '@tanstack/react-query'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { lazyScreen } from '#/renderer/components/lazy-screen'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { loadAhead } from '#/renderer/lib/browser/load-ahead-store'
import { logIfFails } from '#/renderer/lib/core/logger'
import { storedKeys } from '#/renderer/lib/local/local-storage'
import { settingPrefix } from './keys'

export const SettingsScreen = lazyScreen(() => import('./SettingsScreen'), 'SettingsScreen')
export const NewSignIns = lazyPart(() => import('./components/NewSignIns'), 'NewSignIns')
export const SignOutDialog = lazyDialog(() => import('./components/SignOutDialog'), 'SignOutDialog')

/** Sends the settings that were not saved when the app was closed. */
export function resumeSettings(client: QueryClient, me: string): void {
  if (storedKeys(settingPrefix(me)).length === 0) return
  logIfFails(
    'resume settings',
    import('./mutations').then(({ resumeSettings }) => resumeSettings(client, me)),
  )
}

const loadUnsent = loadAhead(() => import('./unsent'))

/** Whether a member has written something on this device that is not sent. Rejects if the code cannot be loaded. */
export async function hasUnsent(me: string, server: string): Promise<boolean> {
  return (await loadUnsent()).hasUnsent(me, server)
}
