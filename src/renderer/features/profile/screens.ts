import { lazyScreen } from '#/renderer/components/lazy-screen'

export const ProfileScreen = lazyScreen(() => import('./ProfileScreen'), 'ProfileScreen')
export const EditProfileScreen = lazyScreen(() => import('./EditProfileScreen'), 'EditProfileScreen')
