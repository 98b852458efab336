import { type KeyboardEvent, type PointerEvent, useEffect, useReducer, useRef } from 'react'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { FileNote } from '#/renderer/components/FileNote'
import { useObjectUrl } from '#/renderer/lib/browser/object-url'
import type { PhotoNote, SquareCrop, ViewablePicture } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import {
  CENTRED,
  type CropAction,
  type CropView,
  cropOf,
  cropOffset,
  cropReducer,
  drawnAt,
  ZOOM,
} from '../crop-view'

/** How far an arrow key moves the picture, as a fraction of the frame's side. */
const KEY_STEP = 0.05
const KEY_ZOOM = 1.1

interface CropDialogProps {
  picture: ViewablePicture
  note: PhotoNote | null
  isBusy: boolean
  onCrop: (crop: SquareCrop) => void
  onClose: () => void
}

/** A photo under a square frame: the member drags and zooms it with pointer, wheel or keyboard. */
export function CropDialog({ picture, note, isBusy, onCrop, onClose }: CropDialogProps) {
  const [view, dispatch] = useReducer(
    (current: CropView, action: CropAction) => cropReducer(current, action, picture),
    CENTRED,
  )

  const handleKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event.key)
    if (action === null) return
    event.preventDefault()
    dispatch(action)
  }

  return (
    <Dialog title={texts.editProfile.cropTitle} description={texts.editProfile.cropHint} onClose={onClose}>
      <CropFrame picture={picture} view={view} dispatch={dispatch} onKeyDown={handleKeyDown} />
      <label className="mt-4 flex items-center gap-3 font-medium text-[13px] text-quiet">
        {texts.editProfile.cropZoom}
        <input
          type="range"
          min={ZOOM.min}
          max={ZOOM.max}
          step={0.01}
          value={view.zoom}
          onChange={(event) => dispatch({ type: 'zoomed-to', zoom: event.target.valueAsNumber })}
          className="h-9 w-full accent-accent"
        />
      </label>
      {note !== null && <FileNote note={note} use="avatar" />}
      <div className="mt-4 flex justify-end gap-2.5">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button variant="primary" onClick={() => onCrop(cropOf(view, picture))} disabled={isBusy}>
          {isBusy ? texts.editProfile.preparingPhoto : texts.editProfile.usePhoto}
        </Button>
      </div>
    </Dialog>
  )
}

function actionOf(key: string): CropAction | null {
  switch (key) {
    case 'ArrowLeft':
      return { type: 'moved', right: -KEY_STEP, down: 0 }
    case 'ArrowRight':
      return { type: 'moved', right: KEY_STEP, down: 0 }
    case 'ArrowUp':
      return { type: 'moved', right: 0, down: -KEY_STEP }
    case 'ArrowDown':
      return { type: 'moved', right: 0, down: KEY_STEP }
    case '+':
    case '=':
      return { type: 'zoomed', factor: KEY_ZOOM }
    case '-':
      return { type: 'zoomed', factor: 1 / KEY_ZOOM }
    default:
      return null
  }
}

interface CropFrameProps {
  picture: ViewablePicture
  view: CropView
  dispatch: (action: CropAction) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function CropFrame({ picture, view, dispatch, onKeyDown }: CropFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const dragged = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => {
    const element = frame.current
    // React's wheel listener is passive: the dialog would scroll, and a pinch would zoom the page.
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault()
      dispatch({ type: 'zoomed', factor: Math.exp(-event.deltaY / 500) })
    }
    element?.addEventListener('wheel', handleWheel, { passive: false })
    return () => element?.removeEventListener('wheel', handleWheel)
  }, [dispatch])

  const handlePointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = { x: event.clientX, y: event.clientY }
  }
  const handlePointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = dragged.current
    if (from === null || !event.isPrimary) return
    const side = event.currentTarget.clientWidth
    dispatch({ type: 'moved', right: (event.clientX - from.x) / side, down: (event.clientY - from.y) / side })
    dragged.current = { x: event.clientX, y: event.clientY }
  }

  const url = useObjectUrl(picture.preview)
  const drawn = drawnAt(view, picture)
  const place = cropOffset(view, picture)
  return (
    <div
      ref={frame}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onLostPointerCapture={() => {
        dragged.current = null
      }}
      className="relative mx-auto aspect-square w-full max-w-80 cursor-move touch-none select-none overflow-hidden rounded-md bg-sunk outline-offset-3 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent"
    >
      <img
        src={url ?? undefined}
        alt=""
        draggable={false}
        style={{
          left: `${drawn.left * 100}%`,
          top: `${drawn.top * 100}%`,
          width: `${drawn.width * 100}%`,
          height: `${drawn.height * 100}%`,
        }}
        className="absolute max-w-none"
      />
      {/* Shows the round avatar; the whole square is saved. */}
      <div className="pointer-events-none absolute inset-0 rounded-full border border-white/70 shadow-[0_0_0_999px_#0008]" />
      <PositionInput
        isFirst
        label={texts.editProfile.cropSideways}
        value={place.sideways}
        onChange={(sideways) => dispatch({ type: 'placed', sideways })}
        onKeyDown={onKeyDown}
      />
      <PositionInput
        label={texts.editProfile.cropUpright}
        value={place.upright}
        onChange={(upright) => dispatch({ type: 'placed', upright })}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

interface PositionInputProps {
  /** Takes the focus when the dialog opens. */
  isFirst?: boolean
  label: string
  value: number
  onChange: (value: number) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/**
 * A range input for one axis of the frame's position, for the keyboard and screen readers; the frame shows its focus
 * ring.
 */
function PositionInput({ isFirst = false, label, value, onChange, onKeyDown }: PositionInputProps) {
  return (
    <input
      type="range"
      data-first-focus={isFirst || undefined}
      aria-label={label}
      min={0}
      max={100}
      step="any"
      value={value * 100}
      onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      onKeyDown={onKeyDown}
      className="sr-only"
    />
  )
}
