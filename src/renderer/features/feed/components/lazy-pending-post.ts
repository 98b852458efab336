import { lazyPart } from '#/renderer/lib/browser/lazy-component'

export const PendingPost = lazyPart(() => import('./PendingPost'), 'PendingPost')
