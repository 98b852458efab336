import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { PublicOnly, RequireMember } from './guards'
export { followSession, signOut } from './session'
export { useMe } from './useMe'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
