import { lazyComponent } from '#/renderer/lib/lazy-component'
import type { CheckedPictureProps } from './CheckedPicture'

export const CheckedPicture = lazyComponent(
  () => import('./CheckedPicture'),
  'CheckedPicture',
  ({ children }: CheckedPictureProps) => children({ url: undefined, isRefused: false }),
)
