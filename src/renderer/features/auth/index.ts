import { lazyScreen } from '#/renderer/components/lazy-screen'

export { OwnMenuItems } from './components/OwnMenuItems'
export { UsernameField } from './components/UsernameField'
export { PublicOnly, RequireMember } from './guards'
export { followSession, isSignedOut, refreshProfile, signOut } from './session'
export { signedInSignal } from './session-signal'
export { useMe } from './useMe'
export { isUsername } from './username'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
