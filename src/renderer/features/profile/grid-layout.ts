import type { PhotoLayout } from '#/renderer/components/PhotoRows'
import { createDeviceChoice } from '#/renderer/lib/local/device-choice'

/** How grids show posts: as squares, or as whole photos in rows (FEED-21). */
export const gridLayout = createDeviceChoice<PhotoLayout>(
  'vignette.choice.grid',
  ['squares', 'justified'],
  'squares',
)
