import { PageSpinnerOverlay } from '#/renderer/components/Spinner'
import { lazyComponent } from '#/renderer/lib/lazy-component'

/** The post that the address opens over the page. */
export const PostModal = lazyComponent(() => import('./PostDialog'), 'PostDialog', <PageSpinnerOverlay />)
