import { lazyScreen } from '#/renderer/lib/lazy-screen'

export const CreateScreen = lazyScreen(() => import('./CreateScreen'), 'CreateScreen')
