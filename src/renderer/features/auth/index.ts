import { lazyScreen } from '#/renderer/components/lazy-screen'

export { describeAuthError } from './auth-errors'
export { AuthAlert } from './components/AuthAlert'
export { OwnMenuItems } from './components/OwnMenuItems'
export { PasswordField } from './components/PasswordField'
export { UsernameField } from './components/UsernameField'
export { PublicOnly, RequireMember } from './guards'
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
export { isUsername } from './username'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
