import { useLocation } from 'react-router-dom'
import { PageSpinnerOverlay } from '#/renderer/components/Spinner'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { isUuid } from '#/renderer/lib/uuid'
import { NEW_STORY, openStoryId } from './address'
import { usePrefetchedMedia } from './media'
import { StoryDialog } from './story-viewer'

const MakeStoryDialog = lazyComponent(
  () => import('./making/MakeStoryDialog'),
  'MakeStoryDialog',
  <PageSpinnerOverlay />,
)

/** What the address opens over the page: a story, or the form that makes one. */
export function StoryModal() {
  const id = openStoryId(useLocation().search)
  // Its media do not wait for the code that shows them, nor for what else there is to know of it.
  usePrefetchedMedia(id !== null && isUuid(id) ? [id] : [])
  return id === NEW_STORY ? <MakeStoryDialog /> : <StoryDialog />
}
