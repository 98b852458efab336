import { lazyScreen } from '#/renderer/components/lazy-screen'

export const ExploreScreen = lazyScreen(() => import('./ExploreScreen'), 'ExploreScreen')
