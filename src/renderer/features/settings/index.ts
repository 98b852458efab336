import { lazyScreen } from '#/renderer/components/lazy-screen'

export const SettingsScreen = lazyScreen(() => import('./SettingsScreen'), 'SettingsScreen')
