import { lazyComponent } from '#/renderer/lib/browser/lazy-component'

export const LikersModal = lazyComponent(() => import('./LikersModal'), 'LikersModal')
