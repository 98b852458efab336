export { useAbilities, useRoutes, useUpdates } from './bridge-hooks'
export { SystemBanners } from './components/SystemBanners'
export { desktop, onServing } from './desktop'
export { startPreferences, usePreferences } from './preferences-store'
