import {
  ChevronLeft,
  ChevronRight,
  Info,
  Maximize,
  Minimize,
  Pause,
  Play,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import type { Direction, TablePhoto } from '../address'
import type { useFullScreen } from '../useFullScreen'
import type { useSlideshow } from '../useSlideshow'
import type { Zoom } from '../useZoom'

const ROUND =
  'rounded-full! bg-black/55 text-white! hover:bg-black/75! active:bg-black/90! forced-colors:border'

interface ControlsProps {
  zoom: Zoom
  /** What is shown can be zoomed. */
  hasPhoto: boolean
  /** Null if there is nothing to play. */
  show: ReturnType<typeof useSlideshow> | null
  fullScreen: ReturnType<typeof useFullScreen>
  /** Null if there is none. */
  panel: { isOpen: boolean; setOpen: (isOpen: boolean) => void } | null
}

/** The buttons at the corner of the light table. */
export function Controls({ zoom, hasPhoto, show, fullScreen, panel }: ControlsProps) {
  const { view } = zoom
  const beside = panel?.isOpen ? 'table-wide:me-90' : ''
  return (
    <div
      className={`${panel === null ? '' : 'table-controls'} pointer-events-none fixed end-0 top-0 z-20 flex items-center gap-1.5 p-2.5 *:pointer-events-auto ${beside}`}
    >
      {view !== null && (
        <span
          role="status"
          className="rounded-full bg-black/55 px-2.5 py-1 font-medium text-[12.5px] text-white tabular-nums"
        >
          {lightTable.percent(view.scale * window.devicePixelRatio)}
        </span>
      )}
      {hasPhoto && (
        <IconButton
          label={view === null ? texts.post.zoom : lightTable.fit}
          size="medium"
          onClick={() => (view === null ? zoom.step(1) : zoom.fit())}
          className={ROUND}
        >
          {view === null ? <ZoomIn /> : <ZoomOut />}
        </IconButton>
      )}
      {show !== null && (
        <IconButton
          label={show.isPlaying ? lightTable.stop : lightTable.play}
          size="medium"
          onClick={() => show.setPlaying(!show.isPlaying)}
          className={ROUND}
        >
          {show.isPlaying ? <Pause /> : <Play />}
        </IconButton>
      )}
      {fullScreen.isPossible && (
        <IconButton
          label={fullScreen.isOn ? lightTable.leaveFullScreen : lightTable.fullScreen}
          size="medium"
          onClick={fullScreen.toggle}
          className={ROUND}
        >
          {fullScreen.isOn ? <Minimize /> : <Maximize />}
        </IconButton>
      )}
      {panel !== null && (
        <IconButton
          label={lightTable.details}
          size="medium"
          aria-pressed={panel.isOpen}
          onClick={() => panel.setOpen(!panel.isOpen)}
          className={ROUND}
        >
          <Info />
        </IconButton>
      )}
      <Dialog.Close asChild>
        <IconButton label={texts.close} size="medium" className={ROUND}>
          <X />
        </IconButton>
      </Dialog.Close>
    </div>
  )
}

interface StepProps {
  direction: Direction
  /** Null at an end of the list. */
  to: TablePhoto | null
  /** The post that is shown. */
  id: string
  onStep: () => void
  /** The post has videos. */
  hasVideo: boolean
}

/** The button to the previous or next photo. */
export function Step({ direction, to, id, onStep, hasVideo }: StepProps) {
  if (to === null) return null
  const { previous, next, previousPhoto, nextPhoto, previousMedium, nextMedium } = texts.post
  const isPrevious = direction === 'previous'
  const [back, on] = hasVideo ? [previousMedium, nextMedium] : [previousPhoto, nextPhoto]
  const toPhoto = isPrevious ? back : on
  const toPost = isPrevious ? previous : next
  const Icon = isPrevious ? ChevronLeft : ChevronRight
  return (
    <IconButton
      label={to.id === id ? toPhoto : toPost}
      size="medium"
      onClick={onStep}
      className={`table-controls absolute! top-1/2 z-10 -mt-4.5 ${isPrevious ? 'start-2.5' : 'end-2.5'} ${ROUND}`}
    >
      <Icon className="rtl:-scale-x-100" />
    </IconButton>
  )
}
