import { lazyScreen } from '#/renderer/lib/lazy-screen'

export { showFreshFeed } from './queries'
export const FeedScreen = lazyScreen(() => import('./FeedScreen'), 'FeedScreen')
