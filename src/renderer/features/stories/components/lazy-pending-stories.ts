import { lazyComponent } from '#/renderer/lib/lazy-component'

export const PendingStories = lazyComponent(() => import('./PendingStories'), 'PendingStories')
