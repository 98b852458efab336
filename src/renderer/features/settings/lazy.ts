import { lazyScreen } from '#/renderer/components/lazy-screen'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { loadAhead } from '#/renderer/lib/load-ahead-store'

export const SettingsScreen = lazyScreen(() => import('./SettingsScreen'), 'SettingsScreen')
export const NewSignIns = lazyComponent(() => import('./components/NewSignIns'), 'NewSignIns')
export const SignOutDialog = lazyComponent(() => import('./components/SignOutDialog'), 'SignOutDialog')

const loadUnsent = loadAhead(() => import('./unsent'))

/** Whether a member has written something on this device that is not sent. Rejects if the code cannot be loaded. */
export async function hasUnsent(me: string, server: string): Promise<boolean> {
  return (await loadUnsent()).hasUnsent(me, server)
}
