import { lazyPart } from '#/renderer/lib/browser/lazy-component'

export const PendingStories = lazyPart(() => import('./PendingStories'), 'PendingStories')
