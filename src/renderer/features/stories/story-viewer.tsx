import { Spinner } from '#/renderer/components/Spinner'
import { lazyComponent } from '#/renderer/lib/lazy-component'

/** The story that the address opens over the page. */
export const StoryDialog = lazyComponent(() => import('./viewer/StoryDialog'), 'StoryDialog', <DarkShade />)

/** As dark as the viewer that comes. */
function DarkShade() {
  return (
    <div className="fixed inset-0 z-35 grid place-items-center bg-[#090807] scheme-dark">
      <Spinner size={34} />
    </div>
  )
}
