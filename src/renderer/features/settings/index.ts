export { hasUnsent, NewSignIns, resumeSettings, SettingsScreen, SignOutDialog } from './lazy'
export { useProfileSetting } from './mutations'
export { signInChanges } from './sign-in-changes'
