import { Clapperboard, ImagePlus, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { VideoMark } from '#/renderer/components/VideoMark'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { thumbnailOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { composeVideo, composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { spoken } from '#/renderer/lib/texts/lengths'
import { lengthOf } from '../draft-video'
import { type DraftMedium, isVideo, preparedStill } from '../model'

interface PhotoStripProps {
  photos: readonly DraftMedium[]
  selectedId: string
  onSelect: (id: string) => void
  onMove: (id: string, to: number) => void
  /** Null if the post has the maximum number of photos and videos. */
  onAdd: ((kind: 'photos' | 'videos') => void) | null
  isLocked: boolean
}

/** The photos and videos of the draft in their order. Dragging one, or pressing an arrow key with Alt, moves it. */
export function PhotoStrip({ photos, selectedId, onSelect, onMove, onAdd, isLocked }: PhotoStripProps) {
  const videos = photos.map(isVideo)
  const { dragged, over, handlersOf } = useSorting(photos, isLocked ? null : onMove)

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>, position: number, id: string) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || isLocked) return
    event.preventDefault()
    const side = getComputedStyle(event.currentTarget).direction === 'rtl' ? -step : step
    const button = event.currentTarget
    if (event.altKey) {
      onMove(id, position + side)
      // Moving the element in the DOM removes its focus.
      requestAnimationFrame(() => button.focus())
      return
    }
    const row = button.closest('ul')
    row?.querySelectorAll<HTMLElement>('[data-photo]')[position + side]?.focus()
  }

  return (
    <ul
      aria-label={videos.includes(true) ? words.listWithVideos : words.list}
      className="flex flex-wrap gap-2"
    >
      {photos.map((photo, position) => (
        <li
          key={photo.id}
          draggable={!isLocked}
          {...handlersOf(position, photo.id)}
          className={`relative rounded-md ${dragged === photo.id ? 'opacity-45' : ''} ${over === position ? 'outline-2 outline-accent outline-offset-2' : ''}`}
        >
          <Thumbnail
            photo={photo}
            label={texts.post.photoOf(position + 1, photos.length, videos)}
            isSelected={photo.id === selectedId}
            onSelect={() => onSelect(photo.id)}
            onKeyDown={(event) => handleKeyDown(event, position, photo.id)}
          />
        </li>
      ))}
      {onAdd !== null && (
        <>
          <AddButton
            icon={ImagePlus}
            label={texts.composer.addPhotos}
            isLocked={isLocked}
            onClick={() => onAdd('photos')}
          />
          <AddButton
            icon={Clapperboard}
            label={texts.composer.addVideos}
            isLocked={isLocked}
            onClick={() => onAdd('videos')}
          />
        </>
      )}
    </ul>
  )
}

interface AddButtonProps {
  icon: LucideIcon
  label: string
  isLocked: boolean
  onClick: () => void
}

function AddButton({ icon: Icon, label, isLocked, onClick }: AddButtonProps) {
  return (
    <li>
      <button
        type="button"
        aria-label={label}
        title={label}
        disabled={isLocked}
        onClick={onClick}
        className="grid size-14 place-items-center rounded-md border border-edge border-dashed text-quiet transition-colors duration-150 hover:bg-sunk disabled:opacity-45"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </li>
  )
}

/** Drag and drop: moves a photo or video to the position of the one it is dropped on. */
function useSorting(photos: readonly DraftMedium[], onMove: ((id: string, to: number) => void) | null) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  const handlersOf = (position: number, id: string) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      // Firefox does not start a drag without data.
      event.dataTransfer.setData('text/plain', '')
      setDragged(id)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(photos[position]?.id === dragged ? null : position)
    },
    onDrop: (event: DragEvent) => {
      if (dragged === null) return
      event.preventDefault()
      onMove?.(dragged, position)
      end()
    },
    onDragEnd: end,
  })
  return { dragged, over, handlersOf }
}

interface ThumbnailProps {
  photo: DraftMedium
  label: string
  isSelected: boolean
  onSelect: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

function Thumbnail({ photo, label, isSelected, onSelect, onKeyDown }: ThumbnailProps) {
  const { preview, work } = photo
  const still = preparedStill(photo)
  const shown = preview?.file ?? (still && thumbnailOf(still))
  const url = useLocalUrl(shown)
  const hasFailed = work?.failure != null
  const isWaiting = isVideo(photo) && work !== null && !hasFailed && shown !== null
  const waiting = isWaiting ? `, ${composeVideo.waiting}` : ''
  const state = hasFailed ? `, ${words.failed}` : shown === null ? `, ${words.reading}` : waiting
  const length = isVideo(photo) ? `, ${spoken(lengthOf(photo))}` : ''
  return (
    <>
      <button
        type="button"
        data-photo
        aria-label={label + length + state}
        aria-pressed={isSelected}
        onClick={onSelect}
        onKeyDown={onKeyDown}
        className={`relative block size-14 overflow-hidden rounded-md bg-sunk outline-offset-2 ${isSelected ? 'ring-2 ring-accent ring-offset-2 ring-offset-paper' : ''}`}
      >
        {url !== null && <img src={url} alt="" draggable={false} className="size-full object-cover" />}
        {isWaiting && (
          <progress
            value={work.progress}
            aria-hidden="true"
            className="absolute inset-x-1 top-1 h-1 w-[calc(100%-8px)]"
          />
        )}
        {hasFailed && (
          <span className="absolute end-1 bottom-1 grid size-5 place-items-center rounded-full bg-paper text-danger">
            <TriangleAlert aria-hidden="true" className="size-3.5" />
          </span>
        )}
      </button>
      {/* Beside the button, whose name has the length in words. */}
      {isVideo(photo) && !hasFailed && (
        <span aria-hidden="true" className="pointer-events-none absolute end-0.5 bottom-0.5">
          <VideoMark durationMs={lengthOf(photo) * 1_000} className="gap-px! px-0.5! [&>svg]:size-2.5!" />
        </span>
      )}
    </>
  )
}
