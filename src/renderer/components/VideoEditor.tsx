import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { logIfFails } from '#/renderer/lib/core/logger'
import {
  type ClipEdit,
  type MediaFile,
  moveHandle,
  openVideoPictures,
  type TrimHandle,
  type VideoInfo,
  type VideoPictures,
} from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { videoEditor as words } from '#/renderer/lib/texts/features/video-editor'
import type { VideoRules } from '#/shared/limits'
import { Button } from './Button'

/** Pictures of the filmstrip, and their height in pixels. */
const STRIP = { pictures: 10, height: 96 } as const
/** Height of the large picture, in pixels. */
const LARGE = 720
const STEP = 0.1

interface VideoEditorProps {
  clip: { source: MediaFile; info: VideoInfo; edit: ClipEdit }
  rules: VideoRules
  /** Says how much is kept. */
  note: string
  /** Of the frame of the large picture. */
  className: string
  onApply: (edit: ClipEdit) => void
  onCancel: () => void
}

/** Chooses what is kept of a video: a part of it, its cover, and whether it has sound. Nothing is changed before 'Use this part'. */
export function VideoEditor({ clip, rules, note, className, onApply, onCancel }: VideoEditorProps) {
  const { info, source } = clip
  const { seconds } = info
  const [edit, setEdit] = useState(clip.edit)
  const [shownAt, setShownAt] = useState(clip.edit.cover)
  const pictures = usePictures(source)
  const start = useRef<HTMLInputElement>(null)
  useEffect(() => start.current?.focus(), [])

  const move = (handle: TrimHandle, at: number) => {
    const moved = moveHandle(edit, { handle, at }, seconds, rules)
    setEdit(moved)
    setShownAt(moved[handle])
  }
  const slider = (handle: TrimHandle) => ({
    min: 0,
    max: seconds,
    step: STEP,
    value: edit[handle],
    'aria-label': words.handles[handle],
    'aria-valuetext': words.time(edit[handle]),
    onChange: (at: number) => move(handle, at),
    onFocus: () => setShownAt(edit[handle]),
  })
  const percent = (at: number) => `${(at / seconds) * 100}%`
  return (
    <div className="grid gap-4 md:grid-cols-[auto_minmax(0,1fr)] md:gap-5">
      <div className={`relative mx-auto max-w-full overflow-hidden rounded-lg bg-black ${className}`}>
        <Picture pictures={pictures} at={shownAt} height={LARGE} isRough={false} className="object-contain" />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-4">
        <legend className="mb-3 font-medium text-[15px]">{words.title}</legend>
        {/* Time runs from left to right in every language, as in players. */}
        <div dir="ltr">
          <div className="relative mx-2">
            <div aria-hidden="true" className="flex h-14 overflow-hidden rounded-md bg-lifted">
              {Array.from({ length: STRIP.pictures }, (_, index) => (
                <Picture
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pictures do not move
                  key={index}
                  pictures={pictures}
                  at={((index + 0.5) / STRIP.pictures) * seconds}
                  height={STRIP.height}
                  isRough
                  className="min-w-0 flex-1 object-cover"
                />
              ))}
            </div>
            <div
              aria-hidden="true"
              className="absolute inset-y-0 left-0 rounded-l-md bg-paper/75"
              style={{ width: percent(edit.from) }}
            />
            <div
              aria-hidden="true"
              className="absolute inset-y-0 right-0 rounded-r-md bg-paper/75"
              style={{ width: percent(seconds - edit.to) }}
            />
            <div
              aria-hidden="true"
              className="absolute inset-y-0 rounded-md border-3 border-accent"
              style={{ left: percent(edit.from), right: percent(seconds - edit.to) }}
            />
            <Handle ref={start} data-first-focus="" {...slider('from')} />
            <Handle {...slider('to')} />
          </div>
        </div>
        <p className="flex justify-between gap-3 text-[14px] tabular-nums">
          <span dir="ltr">{words.part(edit.from, edit.to)}</span>
          <output dir="auto" className="text-quiet">
            {words.length(edit.to - edit.from)}
          </output>
        </p>
        <Labelled label={words.handles.cover} text={words.time(edit.cover)}>
          {(id) => (
            <input
              id={id}
              type="range"
              dir="ltr"
              min={edit.from}
              max={edit.to}
              step={STEP}
              value={edit.cover}
              aria-valuetext={words.time(edit.cover)}
              onFocus={() => setShownAt(edit.cover)}
              onChange={({ target }) => move('cover', target.valueAsNumber)}
              className="h-8 w-full accent-accent"
            />
          )}
        </Labelled>
        {info.sound === 'readable' && (
          <label className="flex min-h-6 items-center gap-2.5 text-[14px]">
            <input
              type="checkbox"
              checked={edit.isMuted}
              onChange={({ target }) => setEdit({ ...edit, isMuted: target.checked })}
              className="size-4.5 accent-accent"
            />
            {words.mute}
          </label>
        )}
        <p className="text-[14px] text-quiet">{note}</p>
        <div className="mt-auto flex flex-wrap justify-end gap-2.5">
          <Button onClick={onCancel}>{texts.cancel}</Button>
          <Button variant="primary" onClick={() => onApply(edit)}>
            {words.usePart}
          </Button>
        </div>
      </fieldset>
    </div>
  )
}

/** The pictures of a video while its editor is open; null before. */
function usePictures(source: MediaFile): VideoPictures | null {
  const [pictures, setPictures] = useState<VideoPictures | null>(null)
  useEffect(() => {
    let isOpen = true
    let opened: VideoPictures | undefined
    const open = async () => {
      opened = await openVideoPictures(source)
      if (isOpen) setPictures(opened)
      else opened.close()
    }
    logIfFails('show pictures of a video', open())
    return () => {
      isOpen = false
      opened?.close()
      setPictures(null)
    }
  }, [source])
  return pictures
}

interface PictureProps {
  pictures: VideoPictures | null
  /** In seconds. */
  at: number
  height: number
  isRough: boolean
  className: string
}

/** A picture of the video. While it is read the one before stays. */
function Picture({ pictures, at, height, isRough, className }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (pictures === null) return
    let isWanted = true
    const show = async () => {
      const bitmap = await pictures.read(at, height, isRough)
      if (bitmap === null || !isWanted || canvas.current === null) return bitmap?.close()
      canvas.current.width = bitmap.width
      canvas.current.height = bitmap.height
      canvas.current.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    }
    void show()
    return () => {
      isWanted = false
    }
  }, [pictures, at, height, isRough])
  return <canvas ref={canvas} className={`size-full ${className}`} />
}

interface HandleProps {
  ref?: React.Ref<HTMLInputElement>
  min: number
  max: number
  step: number
  value: number
  'aria-label': string
  'aria-valuetext': string
  'data-first-focus'?: ''
  onChange: (at: number) => void
  onFocus: () => void
}

/** One end of the part, over the filmstrip: only the handle itself takes the pointer, because there are two. */
function Handle({ ref, onChange, ...slider }: HandleProps) {
  return (
    <input
      ref={ref}
      type="range"
      {...slider}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      className="trim-handle pointer-events-none absolute inset-y-0 -inset-x-2 m-0 h-full w-[calc(100%+16px)] appearance-none bg-transparent outline-none"
    />
  )
}

interface LabelledProps {
  label: string
  text: string
  children: (id: string) => ReactNode
}

function Labelled({ label, text, children }: LabelledProps) {
  const id = useId()
  return (
    <div className="font-medium text-[13px] text-quiet">
      <span className="flex justify-between">
        <label htmlFor={id}>{label}</label>
        <span aria-hidden="true" className="font-normal tabular-nums">
          {text}
        </span>
      </span>
      {children(id)}
    </div>
  )
}
