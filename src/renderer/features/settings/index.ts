export { hasUnsent, NewSignIns, resumeSettings, SettingsScreen, SignOutDialog } from './lazy'
export { signInChanges } from './sign-in-changes'
