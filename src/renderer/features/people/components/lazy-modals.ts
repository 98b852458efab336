import { lazyComponent } from '#/renderer/lib/lazy-component'

export const LikersModal = lazyComponent(() => import('./LikersModal'), 'LikersModal')
