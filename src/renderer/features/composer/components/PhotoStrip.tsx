import { Plus, TriangleAlert } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { thumbnailOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import type { DraftPhoto } from '../model'

interface PhotoStripProps {
  photos: readonly DraftPhoto[]
  selectedId: string
  onSelect: (id: string) => void
  onMove: (id: string, to: number) => void
  /** Null if the post has the maximum number of photos. */
  onAdd: (() => void) | null
  isLocked: boolean
}

/** The photos of the draft in their order. Dragging one, or pressing an arrow key with Alt, moves it. */
export function PhotoStrip({ photos, selectedId, onSelect, onMove, onAdd, isLocked }: PhotoStripProps) {
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
    <ul aria-label={words.list} className="flex flex-wrap gap-2">
      {photos.map((photo, position) => (
        <li
          key={photo.id}
          draggable={!isLocked}
          {...handlersOf(position, photo.id)}
          className={`rounded-md ${dragged === photo.id ? 'opacity-45' : ''} ${over === position ? 'outline-2 outline-accent outline-offset-2' : ''}`}
        >
          <Thumbnail
            photo={photo}
            label={words.photo(position + 1, photos.length)}
            isSelected={photo.id === selectedId}
            onSelect={() => onSelect(photo.id)}
            onKeyDown={(event) => handleKeyDown(event, position, photo.id)}
          />
        </li>
      ))}
      {onAdd !== null && (
        <li>
          <button
            type="button"
            aria-label={texts.composer.addPhotos}
            title={texts.composer.addPhotos}
            disabled={isLocked}
            onClick={onAdd}
            className="grid size-14 place-items-center rounded-md border border-edge border-dashed text-quiet transition-colors duration-150 hover:bg-sunk disabled:opacity-45"
          >
            <Plus aria-hidden="true" className="size-5" />
          </button>
        </li>
      )}
    </ul>
  )
}

/** Drag and drop: moves a photo to the position of the photo it is dropped on. */
function useSorting(photos: readonly DraftPhoto[], onMove: ((id: string, to: number) => void) | null) {
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
  photo: DraftPhoto
  label: string
  isSelected: boolean
  onSelect: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

function Thumbnail({ photo, label, isSelected, onSelect, onKeyDown }: ThumbnailProps) {
  const { preview, picture, work } = photo
  const shown = preview?.file ?? (picture && thumbnailOf(picture))
  const url = useLocalUrl(shown)
  const hasFailed = work?.failure != null
  const state = hasFailed ? `, ${words.failed}` : shown === null ? `, ${words.reading}` : ''
  return (
    <button
      type="button"
      data-photo
      aria-label={label + state}
      aria-pressed={isSelected}
      onClick={onSelect}
      onKeyDown={onKeyDown}
      className={`relative block size-14 overflow-hidden rounded-md bg-sunk outline-offset-2 ${isSelected ? 'ring-2 ring-accent ring-offset-2 ring-offset-paper' : ''}`}
    >
      {url !== null && <img src={url} alt="" draggable={false} className="size-full object-cover" />}
      {hasFailed && (
        <span className="absolute end-1 bottom-1 grid size-5 place-items-center rounded-full bg-paper text-danger">
          <TriangleAlert aria-hidden="true" className="size-3.5" />
        </span>
      )}
    </button>
  )
}
