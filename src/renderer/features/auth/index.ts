export { AuthAlert, PasswordField, UsernameField } from './components/form-parts'
export { OwnMenuItems } from './components/OwnMenuItems'
export { PublicOnly, RequireMember } from './guards'
export { describeAuthError, isUsername } from './model'
export { handleRecoveryLinks } from './recovery-link'
export { LoginScreen, SignupScreen } from './screens'
export {
  checkSession,
  endRefusedSession,
  followSession,
  isSignedOut,
  refreshProfile,
  signedInSignal,
  signOut,
  useIsSessionEnding,
  useMe,
  whileEnding,
} from './session-store'
