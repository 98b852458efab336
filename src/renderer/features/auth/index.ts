import { lazyScreen } from '#/renderer/components/lazy-screen'

export { AuthAlert, PasswordField, UsernameField } from './components/form-parts'
export { OwnMenuItems } from './components/OwnMenuItems'
export { PublicOnly, RequireMember } from './guards'
export { describeAuthError, isUsername } from './model'
export { handleRecoveryLinks } from './recovery-link'
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

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
