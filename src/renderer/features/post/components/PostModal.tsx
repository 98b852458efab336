import { lazyComponent } from '#/renderer/lib/browser/lazy-component'

/** The post that the address opens over the page. */
export const PostModal = lazyComponent(
  () => import('./LightTable'),
  'LightTable',
  // As dark as the light table that follows.
  <div className="fixed inset-0 z-35 bg-surround scheme-dark" />,
)
