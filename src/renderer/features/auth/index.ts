import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { PublicOnly, RequireMember } from './guards'
export type { OwnProfile } from './profile-row'
export {
  followSession,
  type Me,
  refreshProfile,
  type SessionState,
  signOut,
  useSessionStore,
} from './session'
export { useMe } from './useMe'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
