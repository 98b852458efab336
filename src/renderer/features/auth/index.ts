export { AuthAlert, PasswordField, UsernameField } from './components/form-parts'
export { NewPasswordField, useNewPassword } from './components/NewPasswordField'
export { OwnMenuItems } from './components/OwnMenuItems'
export { PublicOnly, RequireMember } from './guards'
export { describeAuthError, isUsername } from './model'
export type { OwnProfile } from './queries'
export { handleRecoveryLinks } from './recovery-links'
export { removeOldRecovery } from './recovery-request'
export { LoginScreen, SignupScreen } from './screens'
export { forgetServerLink, handleServerLinks, useServerLink } from './server-link-store'
export {
  checkSession,
  endRefusedSession,
  failRestored,
  followSession,
  followSignOut,
  leavePage,
  onSignedOut,
  pageOver,
  refreshProfile,
  restoreSession,
  retryEnter,
  signOut,
  useConfirmation,
  useIsSessionEnding,
  useMe,
  useMemberId,
  whileEnding,
} from './session-store'
export { endSignOutRequest, useSignOutRequest } from './sign-out-store'
