import { lazyComponent } from '#/renderer/lib/lazy-component'

export const PendingPost = lazyComponent(() => import('./PendingPost'), 'PendingPost')
