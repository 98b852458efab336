import { lazyPart } from '#/renderer/lib/lazy-component'

export const PendingStories = lazyPart(() => import('./PendingStories'), 'PendingStories')
