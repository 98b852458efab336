import type { QueryClient } from '@tanstack/react-query'
import { Spinner } from '#/renderer/components/Spinner'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { prefetchMedia } from './media'

/** The story that the address opens over the page. */
export const StoryDialog = lazyComponent(() => import('./viewer/StoryDialog'), 'StoryDialog', <DarkShade />)

/** Loads the viewer and a story's media side by side, before the member opens it. */
export function approachStory(client: QueryClient, id: string): void {
  void StoryDialog.load().catch(() => undefined)
  prefetchMedia(client, id)
}

/** As dark as the viewer that comes. */
function DarkShade() {
  return (
    <div className="fixed inset-0 z-35 grid place-items-center bg-[#090807] scheme-dark">
      <Spinner size={34} />
    </div>
  )
}
