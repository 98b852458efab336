import { type PointerEvent, useMemo, useRef } from 'react'
import {
  type CropArea,
  type EditablePhoto,
  type PictureEdit,
  straightenedSize,
  UNCHANGED,
} from '#/renderer/lib/media'
import { photoEditor as words } from '#/renderer/lib/texts/later/compose-photos'
import { type Handle, moveCrop, resizeCrop, sizeCrop } from '../crop-area'
import { useDrawing } from './useDrawing'

/** Longest side of the canvas, in pixels: enough for sharp lines, and fast to draw while a slider moves. */
const DRAWN_SIDE = 1_200

interface CropFrameProps {
  photo: EditablePhoto
  edit: PictureEdit
  /** Width by height of the crop area, as fractions; null for any. */
  ratio: number | null
  /** The colours are shown as they were before the edit. */
  isBefore: boolean
  onCrop: (crop: CropArea) => void
}

/** The photo with its changes, and the area to keep. The area is moved and resized by pointer, or by its four sliders. */
export function CropFrame({ photo, edit, ratio, isBefore, onCrop }: CropFrameProps) {
  const { crop } = edit
  const before = useMemo(() => ({ ...edit, ...UNCHANGED }), [edit])
  // The part outside the area is darkened.
  const canvas = useDrawing(photo, isBefore ? before : edit, DRAWN_SIDE, true)
  const frame = useRef<HTMLDivElement>(null)
  const size = straightenedSize(photo.size, edit)
  const drag = useDrag(frame, edit.crop, ratio, onCrop)
  const place = {
    left: `${crop.left * 100}%`,
    top: `${crop.top * 100}%`,
    width: `${crop.width * 100}%`,
    height: `${crop.height * 100}%`,
  }
  return (
    <div className="@container-size m-1 grid h-[42svh] items-center md:h-auto">
      <div
        ref={frame}
        style={{
          aspectRatio: size.width / size.height,
          width: `min(100cqw, 100cqh * ${size.width / size.height})`,
        }}
        className="relative mx-auto touch-none select-none"
      >
        <canvas ref={canvas} role="img" aria-label={words.preview} className="size-full rounded-sm" />
        <div aria-hidden="true" className="absolute inset-0 overflow-hidden rounded-sm">
          <div style={place} className="absolute shadow-[0_0_0_9999px_#000a]" />
        </div>
        <div
          style={place}
          {...drag({ x: 0, y: 0 })}
          className="absolute cursor-move outline-accent outline-offset-2 has-focus-visible:outline-2"
        >
          <Thirds />
          <Sides crop={crop} ratio={ratio} onCrop={onCrop} />
          {HANDLES.map(({ x, y, className }) => (
            <div
              key={`${x} ${y}`}
              {...drag({ x, y })}
              className={`absolute grid size-6 place-items-center before:size-2.5 before:rounded-full before:bg-white before:shadow-[0_0_0_1px_#0009] ${className}`}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

// Physical sides: a picture is not mirrored where text runs from right to left.
const HANDLES: readonly (Handle & { className: string })[] = [
  { x: -1, y: -1, className: '-left-3 -top-3 cursor-nwse-resize' },
  { x: 0, y: -1, className: '-top-3 left-[calc(50%-0.75rem)] cursor-ns-resize' },
  { x: 1, y: -1, className: '-right-3 -top-3 cursor-nesw-resize' },
  { x: -1, y: 0, className: 'top-[calc(50%-0.75rem)] -left-3 cursor-ew-resize' },
  { x: 1, y: 0, className: 'top-[calc(50%-0.75rem)] -right-3 cursor-ew-resize' },
  { x: -1, y: 1, className: '-bottom-3 -left-3 cursor-nesw-resize' },
  { x: 0, y: 1, className: '-bottom-3 left-[calc(50%-0.75rem)] cursor-ns-resize' },
  { x: 1, y: 1, className: '-right-3 -bottom-3 cursor-nwse-resize' },
]

/** Pointer handlers by handle; 0, 0 moves the whole area. */
function useDrag(
  frame: { current: HTMLDivElement | null },
  crop: CropArea,
  ratio: number | null,
  onCrop: (crop: CropArea) => void,
) {
  /** The pointer and the area at the start of the drag. */
  const start = useRef<{ x: number; y: number; crop: CropArea } | null>(null)
  return (handle: Handle) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (!event.isPrimary || event.button !== 0) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { x: event.clientX, y: event.clientY, crop }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const box = frame.current?.getBoundingClientRect()
      if (start.current === null || box === undefined || !event.isPrimary) return
      event.stopPropagation()
      const right = (event.clientX - start.current.x) / box.width
      const down = (event.clientY - start.current.y) / box.height
      const isMove = handle.x === 0 && handle.y === 0
      const before = start.current.crop
      onCrop(isMove ? moveCrop(before, right, down) : resizeCrop(before, handle, right, down, ratio))
    },
    onLostPointerCapture: () => {
      start.current = null
    },
  })
}

/** The lines of the rule of thirds, and the border of the area. */
function Thirds() {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 border border-white">
      <div className="absolute inset-y-0 left-1/3 w-1/3 border-white/45 border-x" />
      <div className="absolute inset-x-0 top-1/3 h-1/3 border-white/45 border-y" />
    </div>
  )
}

interface SidesProps {
  crop: CropArea
  ratio: number | null
  onCrop: (crop: CropArea) => void
}

/** Four sliders for the keyboard and screen readers. The area shows their focus ring. */
function Sides({ crop, ratio, onCrop }: SidesProps) {
  const sides = [
    { label: words.left, value: crop.left, set: (to: number) => moveCrop(crop, to - crop.left, 0) },
    { label: words.top, value: crop.top, set: (to: number) => moveCrop(crop, 0, to - crop.top) },
    {
      label: words.width,
      value: crop.width,
      set: (to: number) => sizeCrop(crop, 'width', to, ratio),
    },
    {
      label: words.height,
      value: crop.height,
      set: (to: number) => sizeCrop(crop, 'height', to, ratio),
    },
  ]
  return sides.map(({ label, value, set }) => (
    <input
      key={label}
      type="range"
      aria-label={label}
      min={0}
      max={100}
      step={1}
      value={Math.round(value * 100)}
      onChange={(event) => onCrop(set(event.target.valueAsNumber / 100))}
      className="sr-only"
    />
  ))
}
