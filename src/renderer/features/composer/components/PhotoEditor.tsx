import { RotateCcwSquare, RotateCwSquare } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { IconButton } from '#/renderer/components/IconButton'
import { Spinner } from '#/renderer/components/Spinner'
import { useFocusReturn } from '#/renderer/lib/focus'
import {
  drawingOf,
  FILTERS,
  type Filter,
  fileRefusal,
  isUnedited,
  MAX_ANGLE,
  MAX_EXPOSURE,
  type MediaErrorCode,
  nameOf,
  type PictureEdit,
  straightenedSize,
  toMediaErrorCode,
  turnedCrop,
  UNEDITED,
  viewForEditing,
  WHOLE,
} from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { photoEditor as words } from '#/renderer/lib/texts/compose-photos'
import { ASPECTS, type Aspect, aspectOf, fitCrop, fractionRatio } from '../crop-area'
import type { DraftPhoto } from '../model'
import { CropFrame } from './CropFrame'
import { drawEdit, useEditCanvas } from './edit-canvas'

interface PhotoEditorProps {
  photo: DraftPhoto
  onApply: (edit: PictureEdit) => void
  onClose: () => void
}

/** Crops, turns and straightens a photo, and changes its colours. Nothing is changed before 'Apply'. */
export function PhotoEditor({ photo, onApply, onClose }: PhotoEditorProps) {
  const handleCloseAutoFocus = useFocusReturn()
  const { view, code } = useView(photo.source)
  const content = useRef<HTMLDivElement>(null)
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Primitive.Content
          ref={content}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            content.current?.focus()
          }}
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed inset-3 z-50 m-auto flex max-h-205 max-w-275 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-card outline-none sm:inset-6"
        >
          <Primitive.Title className="font-semibold text-[18px] leading-tight">{words.title}</Primitive.Title>
          {code !== null && <Alert>{fileRefusal(nameOf(photo.source), code)}</Alert>}
          {view === null ? (
            <div className="grid min-h-60 flex-1 place-items-center">{code === null && <Spinner />}</div>
          ) : (
            <Editor view={view} initial={photo.edit} onApply={onApply} onClose={onClose} />
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The decoded photo, once it is ready. */
function useView(source: Blob): { view: ImageBitmap | null; code: MediaErrorCode | null } {
  const [view, setView] = useState<ImageBitmap | null>(null)
  const [code, setCode] = useState<MediaErrorCode | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let decoded: ImageBitmap | undefined
    const decode = async () => {
      try {
        decoded = await viewForEditing(source, { signal })
        if (signal.aborted) decoded.close()
        else setView(decoded)
      } catch (cause) {
        if (!signal.aborted) setCode(toMediaErrorCode(cause, 'choose photo'))
      }
    }
    void decode()
    return () => {
      controller.abort()
      setView(null)
      decoded?.close()
    }
  }, [source])
  return { view, code }
}

interface EditorProps {
  view: ImageBitmap
  initial: PictureEdit
  onApply: (edit: PictureEdit) => void
  onClose: () => void
}

function Editor({ view, initial, onApply, onClose }: EditorProps) {
  const [edit, setEdit] = useState(initial)
  const colorSpace = useMemo(() => drawingOf(view).colorSpace, [view])
  const size = straightenedSize(view, edit)
  const [aspect, setAspect] = useState(() => aspectOf(initial.crop, size.width / size.height))
  const ratio = fractionRatio(aspect, size.width / size.height)
  const change = (patch: Partial<PictureEdit>) => setEdit((current) => ({ ...current, ...patch }))

  const chooseAspect = (chosen: Aspect) => {
    setAspect(chosen)
    change({ crop: fitCrop(edit.crop, fractionRatio(chosen, size.width / size.height)) })
  }
  const turn = (quarters: 1 | 3) => {
    const turns = ((edit.turns + quarters) % 4) as PictureEdit['turns']
    const turned = Array.from({ length: quarters }).reduce<PictureEdit['crop']>(turnedCrop, edit.crop)
    const after = straightenedSize(view, { ...edit, turns })
    change({ turns, crop: fitCrop(turned, fractionRatio(aspect, after.width / after.height)) })
  }
  const reset = () => {
    setEdit(UNEDITED)
    setAspect('free')
  }

  return (
    <>
      <div className="grid gap-5 md:min-h-0 md:flex-1 md:grid-cols-[minmax(0,1fr)_18rem]">
        <CropFrame
          view={view}
          colorSpace={colorSpace}
          edit={edit}
          ratio={ratio}
          onCrop={(crop) => change({ crop })}
        />
        <div className="grid content-start gap-5 md:overflow-y-auto md:p-1">
          <Group label={words.crop}>
            <div className="grid grid-cols-4 gap-1.5">
              {(Object.keys(ASPECTS) as Aspect[]).map((name) => (
                <Choice
                  key={name}
                  name="aspect"
                  isChosen={name === aspect}
                  onChoose={() => chooseAspect(name)}
                  className="grid h-9 place-items-center text-[13.5px]"
                >
                  {words.aspect[name]}
                </Choice>
              ))}
            </div>
            <div className="mt-2 flex gap-1.5">
              <IconButton label={words.rotateLeft} size="medium" onClick={() => turn(3)}>
                <RotateCcwSquare aria-hidden="true" />
              </IconButton>
              <IconButton label={words.rotateRight} size="medium" onClick={() => turn(1)}>
                <RotateCwSquare aria-hidden="true" />
              </IconButton>
            </div>
          </Group>
          <Slider
            label={words.straighten}
            text={words.degrees(signed(edit.angle))}
            limit={MAX_ANGLE}
            step={0.5}
            value={edit.angle}
            onChange={(angle) => change({ angle })}
          />
          <Slider
            label={words.exposure}
            text={words.stops(signed(edit.exposure))}
            limit={MAX_EXPOSURE}
            step={0.1}
            value={edit.exposure}
            onChange={(exposure) => change({ exposure })}
          />
          <Group label={words.filter}>
            <div className="grid grid-cols-4 gap-1.5">
              {FILTERS.map((filter) => (
                <Choice
                  key={filter}
                  name="filter"
                  isChosen={filter === edit.filter}
                  onChoose={() => change({ filter })}
                  className="overflow-hidden text-[12px]"
                >
                  <FilterSample view={view} colorSpace={colorSpace} filter={filter} />
                  <span className="block truncate px-1 py-0.5 text-center">{words.filters[filter]}</span>
                </Choice>
              ))}
            </div>
          </Group>
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button
          variant="quiet"
          aria-disabled={isUnedited(edit)}
          onClick={reset}
          className="-ms-4.5 me-auto aria-disabled:opacity-45"
        >
          {words.reset}
        </Button>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button variant="primary" onClick={() => onApply(edit)}>
          {words.apply}
        </Button>
      </div>
    </>
  )
}

function signed(value: number): string {
  const digits = Math.abs(value).toFixed(1)
  return value === 0 ? '0' : `${value < 0 ? '−' : '+'}${digits}`
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-[13px] text-quiet">{label}</legend>
      {children}
    </fieldset>
  )
}

interface ChoiceProps {
  /** Name of the radio group. */
  name: string
  isChosen: boolean
  onChoose: () => void
  className: string
  children: ReactNode
}

/** A radio button that looks like a tile. */
function Choice({ name, isChosen, onChoose, className, children }: ChoiceProps) {
  return (
    <label
      className={`relative block rounded-md border outline-offset-2 transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-accent ${isChosen ? 'border-accent bg-accent-wash font-semibold' : 'border-line hover:bg-sunk'} ${className}`}
    >
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      {children}
    </label>
  )
}

interface SliderProps {
  label: string
  /** The formatted value. */
  text: string
  limit: number
  step: number
  value: number
  onChange: (value: number) => void
}

/** A slider around zero. A double click resets it. */
function Slider({ label, text, limit, step, value, onChange }: SliderProps) {
  return (
    <label className="block font-medium text-[13px] text-quiet">
      <span className="flex justify-between">
        {label}
        <span aria-hidden="true" className="font-normal tabular-nums">
          {text}
        </span>
      </span>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={text}
        min={-limit}
        max={limit}
        step={step}
        value={value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        onDoubleClick={() => onChange(0)}
        className="h-8 w-full accent-accent"
      />
    </label>
  )
}

/** Side of a filter's sample, in pixels. */
const SAMPLE = 96

interface FilterSampleProps {
  view: ImageBitmap
  colorSpace: PredefinedColorSpace
  filter: Filter
}

function FilterSample({ view, colorSpace, filter }: FilterSampleProps) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      const crop = fitCrop(WHOLE, view.height / view.width)
      drawEdit(canvas, view, { ...UNEDITED, crop, filter }, { width: SAMPLE, height: SAMPLE }, colorSpace)
    },
    [view, colorSpace, filter],
  )
  const canvas = useEditCanvas(draw)
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} className="aspect-square w-full object-cover" />
    </span>
  )
}
