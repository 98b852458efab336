import { lazyScreen } from '#/renderer/components/lazy-screen'

export const CreateScreen = lazyScreen(() => import('./CreateScreen'), 'CreateScreen')
