import { Clapperboard, ImagePlus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { desktop } from '#/renderer/features/desktop'
import { useDroppedFiles } from '#/renderer/lib/browser/useDropAndPaste'
import { logIfFails } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { fileRefusal, lookOf, type PictureEdit, shownName } from '#/renderer/lib/media'
import { cancelRow, useUploadProgress } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { composeVideo, photoEditor, composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { POST_PHOTOS } from '#/shared/limits'
import { dispatch, useComposerStore } from '../composer-store'
import {
  type DraftMedium,
  isVideo,
  type PhotoProblem,
  type Sending,
  shownPicture,
  unprepared,
} from '../model'
import { photoWork } from '../photo-work-store'
import { PhotoStrip } from './PhotoStrip'
import { SelectedMedium } from './SelectedMedium'
import { Stage } from './Stage'

const PhotoEditor = lazyDialog(() => import('./PhotoEditor'), 'PhotoEditor')
const ClipDialog = lazyDialog(() => import('./ClipDialog'), 'ClipDialog')

interface PhotoPickerProps {
  photos: readonly DraftMedium[]
  /** Whether the server can store them. */
  mayTakePhotos: boolean
  problems: readonly PhotoProblem[]
  /** The post that is being shared; the form is locked meanwhile. */
  sending: Sending | null
  /** The other fields of the form. */
  children: ReactNode
}

/**
 * Lets the member choose photos and videos by dialog, drop or paste, edit and order them, and shows them as they will be shared.
 */
export function PhotoPicker({ photos, mayTakePhotos, problems, sending, children }: PhotoPickerProps) {
  const isLocked = sending !== null
  useOpenedPhotos()
  const isReading = useComposerStore((state) => state.reading > 0)
  const isDragging = useDroppedFiles(photoWork.takeFiles, !isLocked && mayTakePhotos)
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
    dispatch({ type: 'medium-moved', id, to })
    const moved = photos.find((medium) => medium.id === id)
    announce(words.moved(to + 1, photos.length, moved && isVideo(moved)))
  }
  const add = (kind: 'photos' | 'videos') =>
    void (kind === 'photos' ? photoWork.pickPhotos() : photoWork.pickVideos())
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
            {mayTakePhotos && (
              <div className="grid w-full max-w-56 gap-2.5">
                <Button
                  ref={chooseButton}
                  variant="primary"
                  onClick={() => void photoWork.pickPhotos()}
                  disabled={isLocked}
                >
                  <ImagePlus aria-hidden="true" className="size-4.5" />
                  {texts.composer.choosePhotos}
                </Button>
                <Button onClick={() => void photoWork.pickVideos()} disabled={isLocked}>
                  <Clapperboard aria-hidden="true" className="size-4.5" />
                  {texts.composer.chooseVideos}
                </Button>
              </div>
            )}
            <p className="text-[13.5px] text-quiet">
              {mayTakePhotos ? texts.composer.dropHint(POST_PHOTOS) : texts.media['no-storage']}
            </p>
          </div>
        ) : (
          <Stage medium={selected} media={photos} isLocked={isLocked} />
        )}
        {isReading && (
          <ProgressOverlay label={texts.composer.reading} progress={0} onCancel={handleCancelReading} />
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
            onAdd={photos.length < POST_PHOTOS && mayTakePhotos ? add : null}
            isLocked={isLocked}
          />
        )}
        {selected !== undefined && (
          <SelectedMedium
            medium={selected}
            position={photos.indexOf(selected)}
            videos={photos.map(isVideo)}
            isLocked={isLocked}
            onEdit={() => setEditedId(selected.id)}
            onMove={(to) => move(selected.id, to)}
            onRemove={() => handleRemove(selected.id)}
          />
        )}
        {children}
      </div>
      {edited !== undefined && isVideo(edited) && edited.source !== null && (
        <ClipDialog
          video={edited}
          source={edited.source}
          onApply={(edit) => {
            photoWork.editVideo(edited.id, edit)
            setEditedId(null)
          }}
          onClose={() => setEditedId(null)}
        />
      )}
      {edited !== undefined && !isVideo(edited) && (
        <PhotoEditor
          photo={edited}
          count={photos.filter((medium) => !isVideo(medium)).length}
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

/** Edits a photo, and gives its look to the other photos, which keep their crop. */
function editAll(photos: readonly DraftMedium[], id: string, edit: PictureEdit): void {
  const before = photos.flatMap((medium) => (isVideo(medium) ? [] : [{ id: medium.id, edit: medium.edit }]))
  const look = lookOf(edit)
  photoWork.edit(
    before.map((photo) => ({ ...photo, edit: photo.id === id ? edit : { ...photo.edit, ...look } })),
  )
  showToast({ text: photoEditor.appliedToAll(before.length), undo: () => photoWork.edit(before) })
}

/** Adds photos that were dropped on the app's icon or named on its command line, before or after the screen opened. */
function useOpenedPhotos(): void {
  useEffect(() => {
    void photoWork.takeOpened()
    return desktop.files.onOpened(() => void photoWork.takeOpened())
  }, [])
}

/** The photo or video that is shown large: the chosen one, else the newest one that was added. */
function useSelected(photos: readonly DraftMedium[]): [DraftMedium | undefined, (id: string) => void] {
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
      setSelected({ id: next?.id ?? '', position: Math.max(0, photos.indexOf(next as DraftMedium)) })
    }
  }
  return [photos.find((photo) => photo.id === id) ?? photos[0], select]
}

/** The last change of the photos and videos, for screen readers. */
function useAnnouncement(photos: readonly DraftMedium[]): [string, (text: string) => void] {
  const [known, setKnown] = useState(photos)
  const [announcement, setAnnouncement] = useState('')
  if (known !== photos) {
    setKnown(photos)
    const isIn = (media: readonly DraftMedium[], id: string) => media.some((medium) => medium.id === id)
    const added = photos.filter(({ id }) => !isIn(known, id)).map(isVideo)
    const removed = known.filter(({ id }) => !isIn(photos, id)).map(isVideo)
    if (added.length > 0) setAnnouncement(words.added(added))
    else if (removed.length > 0) setAnnouncement(removed.includes(true) ? words.videoRemoved : words.removed)
  }
  return [announcement, setAnnouncement]
}

/** How far the post is that is being shared: its photos and videos are prepared, then uploaded. */
function SharingProgress({ sending: { id, photos } }: { sending: Sending }) {
  const uploaded = useUploadProgress(id)
  const waiting = unprepared(photos)
  if (waiting.length > 0) {
    const left = waiting.reduce((sum, { work }) => sum + 1 - (work?.progress ?? 0), 0)
    return (
      <ProgressOverlay
        label={preparingText(photos)}
        progress={1 - left / photos.length}
        detail={timeLeft(waiting)}
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

function preparingText(photos: readonly DraftMedium[]): string {
  const hasVideo = photos.some(isVideo)
  if (photos.length === 1) return hasVideo ? composeVideo.converting : texts.composer.working
  return hasVideo ? composeVideo.convertingAll : words.preparingAll
}

/** Of the video that is being converted, if no other waits; undefined without videos, empty while it is not known. */
function timeLeft(waiting: readonly DraftMedium[]): string | undefined {
  const videos = waiting.filter(isVideo)
  if (videos.length === 0) return undefined
  return composeVideo.secondsLeft(videos.length === 1 ? videos[0]?.work?.secondsLeft : null)
}

function problemText(problem: PhotoProblem): string {
  if (problem.type === 'captions')
    return texts.media.refused(shownName(problem.name), composeVideo.captionsProblems[problem.problem])
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
