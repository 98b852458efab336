import { lazyPart } from '#/renderer/lib/lazy-component'

export const PendingPost = lazyPart(() => import('./PendingPost'), 'PendingPost')
