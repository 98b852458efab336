import type { QueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import { PageSpinnerOverlay, Spinner } from '#/renderer/components/Spinner'
import { lazyComponent } from '#/renderer/lib/browser/lazy-component'
import { isUuid } from '#/renderer/lib/core/uuid'
import { NEW_STORY, openStoryId } from './address'
import { prefetchMedia, type Story, usePrefetchedStory } from './queries'

const StoryDialog = lazyComponent(() => import('./components/StoryDialog'), 'StoryDialog', <DarkSpinner />)

/** Loads the viewer's code before the member opens it. */
export function preloadViewer(): void {
  void StoryDialog.load().catch(() => undefined)
}

/** Loads the viewer and a story's media before the member opens it. */
export function preloadStory(client: QueryClient, story: Story): void {
  preloadViewer()
  prefetchMedia(client, story)
}

/** In the viewer's background colour. */
function DarkSpinner() {
  return (
    <div className="fixed inset-0 z-35 grid place-items-center bg-[#090807] scheme-dark">
      <Spinner size={34} />
    </div>
  )
}

const MakeStoryDialog = lazyComponent(
  () => import('./components/MakeStoryDialog'),
  'MakeStoryDialog',
  <PageSpinnerOverlay />,
)

/** The story, or the form for a new one, that the URL opens over the page. */
export function StoryModal() {
  const id = openStoryId(useLocation().search)
  // Loads the media in parallel with the viewer's code and the story's row.
  usePrefetchedStory(id !== null && isUuid(id) ? id : null)
  return id === NEW_STORY ? <MakeStoryDialog /> : <StoryDialog />
}
