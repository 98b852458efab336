import { ImagePlus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { FramedPhoto, PhotoFrame } from '#/renderer/components/PhotoFrame'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { desktop } from '#/renderer/features/desktop'
import { useVideoDrops } from '#/renderer/features/stories'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { useDroppedFiles } from '#/renderer/lib/browser/useDropAndPaste'
import { logIfFails } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { columnSizes } from '#/renderer/lib/layout/photo-frame'
import { fileRefusal, lookOf, type PictureEdit, previewOf } from '#/renderer/lib/media'
import { localSource, preparedSource } from '#/renderer/lib/media-store'
import { cancelRow, useUploadProgress } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { photoEditor, composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { POST_PHOTOS } from '#/shared/limits'
import { dispatch, useComposerStore } from '../composer-store'
import { type DraftPhoto, type PhotoProblem, type Sending, shownPicture, unprepared } from '../model'
import { photoWork } from '../photo-work-store'
import { PhotoStrip } from './PhotoStrip'
import { SelectedPhoto } from './SelectedPhoto'

const PhotoEditor = lazyDialog(() => import('./PhotoEditor'), 'PhotoEditor')

interface PhotoPickerProps {
  photos: readonly DraftPhoto[]
  /** Whether the server can store them. */
  mayTakePhotos: boolean
  problems: readonly PhotoProblem[]
  /** The post that is being shared; the form is locked meanwhile. */
  sending: Sending | null
  /** The other fields of the form. */
  children: ReactNode
}

/**
 * Lets the member choose photos by dialog, drop or paste, edit and order them, and shows them as they will be shared.
 */
export function PhotoPicker({ photos, mayTakePhotos, problems, sending, children }: PhotoPickerProps) {
  const isLocked = sending !== null
  useOpenedPhotos()
  const isReading = useComposerStore((state) => state.reading > 0)
  const isDragging = useDroppedFiles(useVideoDrops(photoWork.takeFiles), !isLocked && mayTakePhotos)
  const [selected, select] = useSelected(photos)
  const [announcement, announce] = useAnnouncement(photos)
  const [editedId, setEditedId] = useState<string | null>(null)
  const edited = photos.find(({ id }) => id === editedId)
  const isEditing = edited !== undefined
  useEffect(() => {
    if (!isEditing) return
    photoWork.hold(true)
    return () => photoWork.hold(false)
  }, [isEditing])
  const chooseButton = useRef<HTMLButtonElement>(null)

  const move = (id: string, to: number) => {
    if (to < 0 || to >= photos.length || photos[to]?.id === id) return
    dispatch({ type: 'photo-moved', id, to })
    announce(words.moved(to + 1, photos.length))
  }
  const focusChooseButton = () => requestAnimationFrame(() => chooseButton.current?.focus())
  const handleRemove = (id: string) => {
    photoWork.remove(id)
    // The pressed button is removed together with the last photo.
    if (photos.length === 1) focusChooseButton()
  }
  const handleCancelReading = () => {
    photoWork.cancelReading()
    focusChooseButton()
  }

  return (
    <>
      <div
        className={`relative grid ${photos.some(shownPicture) ? '' : `min-h-85 place-items-center overflow-hidden rounded-lg border bg-sunk md:min-h-110 ${selected === undefined ? 'border-edge border-dashed' : 'border-line'}`}`}
      >
        {selected === undefined ? (
          <div
            className={`grid justify-items-center gap-3 p-8 text-center ${isDragging || isReading ? 'invisible' : ''}`}
          >
            <ImagePlus aria-hidden="true" className="size-10 stroke-[1.25] text-quiet" />
            {mayTakePhotos && (
              <Button
                ref={chooseButton}
                variant="primary"
                onClick={() => void photoWork.pickPhotos()}
                disabled={isLocked}
              >
                {texts.composer.choosePhotos}
              </Button>
            )}
            <p className="text-[13.5px] text-quiet">
              {mayTakePhotos ? texts.composer.dropHint(POST_PHOTOS) : texts.media['no-storage']}
            </p>
          </div>
        ) : (
          <Stage photo={selected} photos={photos} isLocked={isLocked} />
        )}
        {isReading && (
          <ProgressOverlay label={texts.composer.working} progress={0} onCancel={handleCancelReading} />
        )}
        {sending !== null && <SharingProgress sending={sending} />}
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center rounded-lg border border-accent bg-paper/85 p-6 text-center font-display text-[22px]">
            {texts.composer.dropHere}
          </div>
        )}
      </div>
      <div className="grid gap-4">
        <p aria-live="polite" className="sr-only">
          {announcement}
        </p>
        {selected !== undefined && !mayTakePhotos && <Alert>{texts.media['no-storage']}</Alert>}
        <Problems problems={problems} />
        {selected !== undefined && (
          <PhotoStrip
            photos={photos}
            selectedId={selected.id}
            onSelect={select}
            onMove={move}
            onAdd={photos.length < POST_PHOTOS && mayTakePhotos ? () => void photoWork.pickPhotos() : null}
            isLocked={isLocked}
          />
        )}
        {selected !== undefined && (
          <SelectedPhoto
            photo={selected}
            position={photos.indexOf(selected)}
            count={photos.length}
            isLocked={isLocked}
            onEdit={() => setEditedId(selected.id)}
            onMove={(to) => move(selected.id, to)}
            onRemove={() => handleRemove(selected.id)}
          />
        )}
        {children}
      </div>
      {edited !== undefined && (
        <PhotoEditor
          photo={edited}
          count={photos.length}
          onApply={(edit: PictureEdit, isForAll: boolean) => {
            if (isForAll) editAll(photos, edited.id, edit)
            else photoWork.edit([{ id: edited.id, edit }])
            setEditedId(null)
          }}
          onClose={() => setEditedId(null)}
        />
      )}
    </>
  )
}

/** Edits a photo, and gives its look to the others, which keep their crop. */
function editAll(photos: readonly DraftPhoto[], id: string, edit: PictureEdit): void {
  const before = photos.map((photo) => ({ id: photo.id, edit: photo.edit }))
  const look = lookOf(edit)
  photoWork.edit(
    before.map((photo) => ({ ...photo, edit: photo.id === id ? edit : { ...photo.edit, ...look } })),
  )
  showToast({ text: photoEditor.appliedToAll(photos.length), undo: () => photoWork.edit(before) })
}

/** Adds photos that were dropped on the app's icon or named on its command line, before or after the screen opened. */
function useOpenedPhotos(): void {
  useEffect(() => {
    void photoWork.takeOpened()
    return desktop.files.onOpened(() => void photoWork.takeOpened())
  }, [])
}

/** The photo that is shown large: the chosen one, else the newest one that was added. */
function useSelected(photos: readonly DraftPhoto[]): [DraftPhoto | undefined, (id: string) => void] {
  const [{ id, position }, setSelected] = useState({ id: '', position: 0 })
  const [known, setKnown] = useState(photos)
  const select = (chosen: string) =>
    setSelected({ id: chosen, position: photos.findIndex((photo) => photo.id === chosen) })
  if (known !== photos) {
    setKnown(photos)
    const added = photos.filter((photo) => !known.some((other) => other.id === photo.id))
    const index = photos.findIndex((photo) => photo.id === id)
    // Select the first added photo; after a removal, the one that is now at its position.
    if (added[0] !== undefined && known.length > 0) select(added[0].id)
    else if (index >= 0 && index !== position) setSelected({ id, position: index })
    else if (index < 0) {
      const next = photos[Math.min(position, photos.length - 1)]
      setSelected({ id: next?.id ?? '', position: Math.max(0, photos.indexOf(next as DraftPhoto)) })
    }
  }
  return [photos.find((photo) => photo.id === id) ?? photos[0], select]
}

/** The last change of the photos, for screen readers. */
function useAnnouncement(photos: readonly DraftPhoto[]): [string, (text: string) => void] {
  const [known, setKnown] = useState(photos)
  const [announcement, setAnnouncement] = useState('')
  if (known !== photos) {
    setKnown(photos)
    if (photos.length > known.length) setAnnouncement(words.added(photos.length - known.length))
    if (photos.length < known.length) setAnnouncement(words.removed)
  }
  return [announcement, setAnnouncement]
}

interface StageProps {
  photo: DraftPhoto
  /** All photos of the post: they share a frame. */
  photos: readonly DraftPhoto[]
  isLocked: boolean
}

/** The selected photo as the post will show it: whole, on the paper, in a frame that all photos share. */
function Stage({ photo, photos, isLocked }: StageProps) {
  const shown = shownPicture(photo)
  const url = useLocalUrl(shown && ('file' in shown ? shown.file : previewOf(shown)))
  const sizes = photos.flatMap((each) => shownPicture(each) ?? [])
  const progress = shown === null && !isLocked && (
    <ProgressOverlay
      label={texts.composer.working}
      progress={photo.work?.progress ?? 0}
      onCancel={() => photoWork.remove(photo.id)}
    />
  )
  // While this photo is decoded, the frame has the shape of the others.
  if (sizes.length === 0) return progress
  return (
    <PhotoFrame photos={sizes} data-stage="">
      {progress}
      {shown !== null && (
        <FramedPhoto
          photo={{
            width: shown.width,
            height: shown.height,
            source: 'file' in shown ? localSource(url) : preparedSource(shown, url),
          }}
          alt={texts.composer.previewAlt}
          sizes={columnSizes(shown)}
          className="rounded-sm"
        />
      )}
    </PhotoFrame>
  )
}

/** How far the post is that is being shared: its photos are prepared, then uploaded. */
function SharingProgress({ sending: { id, photos } }: { sending: Sending }) {
  const uploaded = useUploadProgress(id)
  const waiting = unprepared(photos)
  if (waiting.length > 0) {
    const left = waiting.reduce((sum, { work }) => sum + 1 - (work?.progress ?? 0), 0)
    return (
      <ProgressOverlay
        label={photos.length === 1 ? texts.composer.working : words.preparingAll}
        progress={1 - left / photos.length}
        onCancel={photoWork.cancelSharing}
      />
    )
  }
  if (uploaded === null) return null
  return (
    <ProgressOverlay
      label={texts.composer.uploading}
      progress={uploaded}
      onCancel={() => logIfFails('outbox', cancelRow(id))}
    />
  )
}

function problemText(problem: PhotoProblem): string {
  if (problem.type === 'too-many') return words.tooMany(POST_PHOTOS, problem.left)
  return fileRefusal(problem.name, problem.code, problem.longestSeconds)
}

function Problems({ problems }: { problems: readonly PhotoProblem[] }) {
  if (problems.length === 0) return null
  return (
    <Alert>
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
        <p key={index}>{problemText(problem)}</p>
      ))}
    </Alert>
  )
}
