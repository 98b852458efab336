import { RotateCcwSquare, RotateCwSquare, Undo2 } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { IconButton } from '#/renderer/components/IconButton'
import { Spinner } from '#/renderer/components/Spinner'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import {
  type EditablePhoto,
  editPhoto,
  FILTERS,
  type Filter,
  fileRefusal,
  isUnedited,
  LOOK_LIMITS,
  MAX_ANGLE,
  type MediaErrorCode,
  nameOf,
  type PictureEdit,
  straightenedSize,
  toMediaErrorCode,
  turnedCrop,
  UNCHANGED,
  UNEDITED,
  WHOLE,
} from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { photoEditor as words } from '#/renderer/lib/texts/later/compose-photos'
import { ASPECTS, type Aspect, aspectOf, fitCrop, fractionRatio } from '../crop-area'
import type { DraftPhoto } from '../draft-photo'
import { BeforeButton, type HeldBefore, isBeforeKey, useHeldBefore } from './BeforeButton'
import { CropFrame } from './CropFrame'
import { useDrawing } from './useDrawing'

interface PhotoEditorProps {
  photo: DraftPhoto
  /** Number of photos of the post. */
  count: number
  /** `isForAll`: the other photos get its look. */
  onApply: (edit: PictureEdit, isForAll: boolean) => void
  onClose: () => void
}

/** Crops, turns and straightens a photo, and changes its colours. Nothing is changed before 'Apply'. */
export function PhotoEditor({ photo, count, onApply, onClose }: PhotoEditorProps) {
  const handleCloseAutoFocus = useFocusReturn()
  const { opened, code } = useEditablePhoto(photo.source)
  const content = useRef<HTMLDivElement>(null)
  const before = useHeldBefore()
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
          onKeyDown={(event) => isBeforeKey(event) && !event.repeat && before.press(event.timeStamp)}
          onKeyUp={(event) => isBeforeKey(event) && before.release(event.timeStamp)}
          className="fixed inset-3 z-50 m-auto flex max-h-240 max-w-360 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-card outline-none sm:inset-6"
        >
          <Primitive.Title className="font-semibold text-[18px] leading-tight">{words.title}</Primitive.Title>
          {code !== null && <Alert>{fileRefusal(nameOf(photo.source), code)}</Alert>}
          {opened === null ? (
            <div className="grid min-h-60 flex-1 place-items-center">{code === null && <Spinner />}</div>
          ) : (
            <Editor
              photo={opened}
              initial={photo.edit}
              count={count}
              before={before}
              onApply={onApply}
              onClose={onClose}
            />
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The opened photo, once it is decoded. */
function useEditablePhoto(source: Blob): { opened: EditablePhoto | null; code: MediaErrorCode | null } {
  const [opened, setOpened] = useState<EditablePhoto | null>(null)
  const [code, setCode] = useState<MediaErrorCode | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    editPhoto(source, signal).then(
      (photo) => !signal.aborted && setOpened(photo),
      (cause: unknown) => !signal.aborted && setCode(toMediaErrorCode(cause, 'choose photo')),
    )
    return () => {
      controller.abort()
      setOpened(null)
    }
  }, [source])
  return { opened, code }
}

interface EditorProps {
  photo: EditablePhoto
  initial: PictureEdit
  count: number
  before: HeldBefore
  onApply: (edit: PictureEdit, isForAll: boolean) => void
  onClose: () => void
}

function Editor({ photo, initial, count, before, onApply, onClose }: EditorProps) {
  const [edit, setEdit] = useState(initial)
  const ratioOf = (of: PictureEdit) => {
    const { width, height } = straightenedSize(photo.size, of)
    return width / height
  }
  const [aspect, setAspect] = useState(() => aspectOf(initial.crop, ratioOf(initial)))
  const ratio = fractionRatio(aspect, ratioOf(edit))
  const change = (patch: Partial<PictureEdit>) => setEdit((current) => ({ ...current, ...patch }))

  const chooseAspect = (chosen: Aspect) => {
    setAspect(chosen)
    change({ crop: fitCrop(edit.crop, fractionRatio(chosen, ratioOf(edit))) })
  }
  const turn = (quarters: 1 | 3) => {
    const turns = ((edit.turns + quarters) % 4) as PictureEdit['turns']
    const turned = Array.from({ length: quarters }).reduce<PictureEdit['crop']>(turnedCrop, edit.crop)
    change({ turns, crop: fitCrop(turned, fractionRatio(aspect, ratioOf({ ...edit, turns }))) })
  }
  const reset = () => {
    setEdit(UNEDITED)
    setAspect('free')
  }

  return (
    <>
      <div className="grid gap-5 md:min-h-0 md:flex-1 md:grid-cols-[minmax(0,1fr)_20.5rem]">
        <CropFrame
          photo={photo}
          edit={edit}
          ratio={ratio}
          isBefore={before.isBefore}
          onCrop={(crop) => change({ crop })}
        />
        <div className="grid content-start gap-4 md:overflow-y-auto md:p-1">
          {/* The buttons stand beside the legend, which takes no further content. */}
          <div className="relative">
            <Group label={words.crop}>
              <div className="grid grid-cols-4 gap-1.5">
                {(Object.keys(ASPECTS) as Aspect[]).map((name) => (
                  <Choice
                    key={name}
                    name="aspect"
                    isChosen={name === aspect}
                    onChoose={() => chooseAspect(name)}
                    className="grid h-8 place-items-center text-[13px]"
                  >
                    {words.aspect[name]}
                  </Choice>
                ))}
              </div>
              <Slider
                label={words.straighten}
                text={words.degrees(signed(edit.angle))}
                range={[-MAX_ANGLE, MAX_ANGLE]}
                step={0.5}
                value={edit.angle}
                onChange={(angle) => change({ angle })}
              />
            </Group>
            <div className="absolute end-0 -top-1.5 flex gap-1">
              <IconButton label={words.rotateLeft} size="small" onClick={() => turn(3)}>
                <RotateCcwSquare aria-hidden="true" />
              </IconButton>
              <IconButton label={words.rotateRight} size="small" onClick={() => turn(1)}>
                <RotateCwSquare aria-hidden="true" />
              </IconButton>
            </div>
          </div>
          <Group label={words.filter}>
            <div className="grid grid-cols-4 gap-1.5">
              {FILTERS.map((filter) => (
                <Choice
                  key={filter}
                  name="filter"
                  isChosen={filter === edit.filter}
                  onChoose={() => change({ filter })}
                  className="overflow-hidden text-[12.5px]"
                >
                  <FilterSample photo={photo} filter={filter} />
                  <span className="block truncate px-1 py-0.5 text-center">{words.filters[filter]}</span>
                </Choice>
              ))}
            </div>
            <Percent name="strength" edit={edit} onChange={change} isDisabled={edit.filter === 'none'} />
          </Group>
          <Group label={words.light}>
            <Slider
              label={words.exposure}
              text={words.stops(signed(edit.exposure))}
              range={LOOK_LIMITS.exposure}
              step={0.1}
              value={edit.exposure}
              onChange={(exposure) => change({ exposure })}
            />
            {SLIDERS.map((name) => (
              <Percent key={name} name={name} edit={edit} onChange={change} />
            ))}
          </Group>
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button
          variant="quiet"
          aria-disabled={isUnedited(edit)}
          onClick={reset}
          className="-ms-4.5 aria-disabled:opacity-45"
        >
          {words.reset}
        </Button>
        <div className="me-auto">
          <BeforeButton {...before} />
        </div>
        <Button onClick={onClose}>{texts.cancel}</Button>
        {count > 1 && <Button onClick={() => onApply(edit, true)}>{words.applyToAll}</Button>}
        <Button variant="primary" onClick={() => onApply(edit, false)}>
          {words.apply}
        </Button>
      </div>
    </>
  )
}

const SLIDERS = ['contrast', 'highlights', 'shadows', 'warmth', 'vignette', 'grain'] as const

interface PercentProps {
  name: (typeof SLIDERS)[number] | 'strength'
  edit: PictureEdit
  isDisabled?: boolean
  onChange: (patch: Partial<PictureEdit>) => void
}

/** A slider of one number of the look, in percent. */
function Percent({ name, edit, isDisabled = false, onChange }: PercentProps) {
  const percent = Math.round(edit[name] * 100)
  const [min, max] = LOOK_LIMITS[name]
  return (
    <Slider
      label={words[name]}
      text={words.percent(min === 0 ? String(percent) : signed(percent, 0))}
      range={[min * 100, max * 100]}
      step={1}
      initial={UNCHANGED[name] * 100}
      value={percent}
      isDisabled={isDisabled}
      onChange={(value) => onChange({ [name]: value / 100 })}
    />
  )
}

function signed(value: number, digits = 1): string {
  return value === 0 ? '0' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`
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
  range: readonly [min: number, max: number]
  step: number
  /** The value without a change. */
  initial?: number
  value: number
  isDisabled?: boolean
  onChange: (value: number) => void
}

/** A slider with its value. A double click or its button resets it. */
function Slider({ label, text, range, step, initial = 0, value, isDisabled = false, onChange }: SliderProps) {
  const [min, max] = range
  const slider = useRef<HTMLInputElement>(null)
  return (
    <div className="grid grid-cols-[5.25rem_minmax(0,1fr)_3.5rem_1.75rem] items-center gap-x-2 text-[13px] text-quiet">
      <span aria-hidden="true" className="truncate font-medium">
        {label}
      </span>
      <input
        ref={slider}
        type="range"
        aria-label={label}
        aria-valuetext={text}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        onDoubleClick={() => onChange(initial)}
        className="h-8 w-full accent-accent disabled:opacity-45"
      />
      <span aria-hidden="true" className="text-end tabular-nums">
        <bdi dir="ltr">{text}</bdi>
      </span>
      <IconButton
        label={words.resetOne(label)}
        size="small"
        onClick={() => {
          onChange(initial)
          // The button is hidden then.
          slider.current?.focus()
        }}
        className={value === initial || isDisabled ? 'invisible' : ''}
      >
        <Undo2 aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
    </div>
  )
}

/** Longest side of a filter's sample, in pixels. */
const SAMPLE = 96

/** The middle of the photo, as a square with a filter. */
function FilterSample({ photo, filter }: { photo: EditablePhoto; filter: Filter }) {
  const edit = useMemo(() => {
    const { width, height } = photo.size
    return { ...UNEDITED, crop: fitCrop(WHOLE, height / width), filter }
  }, [photo, filter])
  const canvas = useDrawing(photo, edit, SAMPLE)
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} className="aspect-square w-full object-cover" />
    </span>
  )
}
