import { lazyScreen } from '#/renderer/lib/lazy-screen'

export const SettingsScreen = lazyScreen(() => import('./SettingsScreen'), 'SettingsScreen')
