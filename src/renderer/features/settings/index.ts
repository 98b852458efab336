export { hasUnsent, NewSignIns, SettingsScreen, SignOutDialog } from './lazy'
export { signInChanges } from './sign-in-changes'
