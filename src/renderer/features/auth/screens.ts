import { lazyScreen } from '#/renderer/components/lazy-screen'

export const LoginScreen = lazyScreen(() => import('./LoginScreen'), 'LoginScreen')
export const SignupScreen = lazyScreen(() => import('./SignupScreen'), 'SignupScreen')
