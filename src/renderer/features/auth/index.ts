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
  followSession,
  isSignedOut,
  refreshProfile,
  signOut,
  useIsSessionEnding,
  whileEnding,
} from './session'
export { signedInSignal } from './session-signal'
export { useMe } from './useMe'
export { isUsername } from './username'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
