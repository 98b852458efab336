export { desktop } from './desktop'
export { SystemNotices } from './SystemNotices'
export { startPreferences, usePreferences } from './usePreferences'
