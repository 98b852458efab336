import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router-dom'
import { PageShade, Spinner } from '#/renderer/components/Spinner'
import { isStoryId, NEW_STORY, openStoryId } from './address'
import { loadViewer } from './load-viewer'
import { usePrefetchedMedia } from './media'

const StoryDialog = lazy(async () => ({ default: (await loadViewer()).StoryDialog }))
const MakeStoryDialog = lazy(async () => ({
  default: (await import('./making/MakeStoryDialog')).MakeStoryDialog,
}))

/** What the address opens over the page: a story, or the form that makes one. */
export function StoryOverPage() {
  const id = openStoryId(useLocation().search)
  // Its media do not wait for the code that shows them, nor for what else there is to know of it.
  usePrefetchedMedia(id !== null && isStoryId(id) ? [id] : [])
  if (id === NEW_STORY) {
    return (
      <Suspense fallback={<PageShade />}>
        <MakeStoryDialog />
      </Suspense>
    )
  }
  return (
    <Suspense fallback={<DarkShade />}>
      <StoryDialog />
    </Suspense>
  )
}

/** As dark as the viewer that comes. */
function DarkShade() {
  return (
    <div className="fixed inset-0 z-35 grid place-items-center bg-[#090807] scheme-dark">
      <Spinner size={34} />
    </div>
  )
}
