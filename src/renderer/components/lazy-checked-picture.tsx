import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import type { CheckedPictureProps } from './CheckedPicture'

export const CheckedPicture = lazyPart(
  () => import('./CheckedPicture'),
  'CheckedPicture',
  ({ children }: CheckedPictureProps) => children({ url: undefined, isRefused: false }),
)
