import { lazyScreen } from '#/renderer/lib/lazy-screen'

export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')
