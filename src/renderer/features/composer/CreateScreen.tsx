import { type FormEvent, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { PostFields } from '#/renderer/components/PostFields'
import { useMe } from '#/renderer/features/auth'
import type { NewPhoto, NewPost, NewVideo } from '#/renderer/features/feed'
import { AddStoryLink } from '#/renderer/features/stories'
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { focusPageIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { CAMERA_FIELDS } from '#/renderer/lib/content/camera'
import { logFailure } from '#/renderer/lib/core/logger'
import { newId } from '#/renderer/lib/core/uuid'
import { useMayStoreMedia } from '#/renderer/lib/media/source/storage-store'
import { discardRow, type OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { readCaptions } from './captions'
import { PhotoPicker } from './components/PhotoPicker'
import { dispatch, onPosted, openComposer, useComposerStore } from './composer-store'
import { newPhoto } from './draft-photo'
import { returnedVideo } from './draft-video'
import { canShare, type DraftMedium, isEmptyDraft, isVideo } from './model'
import { useSharePostMutation } from './mutations'
import { photoWork } from './photo-work-store'
import { loadQueued } from './queued-photos-store'

const ConfirmDialog = lazyDialog(() => import('#/renderer/components/ConfirmDialog'), 'ConfirmDialog')

/** /create: photos and videos, a text and a location. */
export function CreateScreen() {
  const navigate = useNavigate()
  const { id: me } = useMe()
  useLayoutEffect(() => openComposer(me), [me])
  useEffect(
    () =>
      onPosted(() => {
        void navigate('/')
        focusPageIfLost()
      }),
    [navigate],
  )
  const draft = useComposerStore((state) => state.draft)
  const isRestoring = useComposerStore((state) => state.restoring.length > 0)
  const isReading = useComposerStore((state) => state.reading > 0)
  const cannotEdit = useEditedPost(me)
  const sharing = useSharePostMutation()
  const [isDiscarding, setIsDiscarding] = useState(false)

  useEffect(() => {
    if (!isRestoring) photoWork.resume(useComposerStore.getState().draft.photos)
  }, [isRestoring])

  // Read from the draft, not from this screen's mutation: the member may have left and returned while the post is sent.
  const isSharing = draft.sending !== null
  const mayTakePhotos = useMayStoreMedia()
  const isReady =
    canShare(draft) && !isRestoring && !isReading && (mayTakePhotos || draft.photos.length === 0)
  const isEmpty = isEmptyDraft(draft) && !isReading

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) sharing.mutate()
  }

  return (
    <main id="content" className="mx-auto max-w-272 px-4 pt-7 pb-16 sm:px-6">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-display text-[27px]">{texts.pages.create}</h1>
        <AddStoryLink className="rounded-sm font-medium text-[14.5px] text-accent underline-offset-3 hover:underline">
          {texts.makeStory.insteadOfPost}
        </AddStoryLink>
      </div>
      <form
        onSubmit={handleSubmit}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-[minmax(0,37.5rem)_minmax(17.5rem,1fr)]"
      >
        <PhotoPicker
          photos={draft.photos}
          mayTakePhotos={mayTakePhotos}
          problems={draft.problems}
          sending={draft.sending}
        >
          <PostFields
            me={me}
            words={{ ...draft, altText: '' }}
            onChange={(field, value) => field !== 'altText' && dispatch({ type: 'typed', field, value })}
            hasPicture={false}
            isLocked={isSharing}
          />
          {cannotEdit && <Alert>{texts.composer.editLater}</Alert>}
          <Button variant="primary" type="submit" disabled={!isReady} className="h-11 w-full">
            {isSharing ? texts.composer.posting : texts.composer.share}
          </Button>
          {/* Not disabled, because the confirmation dialog returns the focus to it. */}
          <Button
            variant="quiet"
            aria-disabled={isEmpty}
            disabled={isSharing}
            onClick={() => !isEmpty && setIsDiscarding(true)}
            className="justify-self-center aria-disabled:pointer-events-none aria-disabled:opacity-45"
          >
            {words.discard}
          </Button>
        </PhotoPicker>
      </form>
      {isDiscarding && (
        <ConfirmDialog
          title={words.discardTitle}
          body={words.discardBody}
          action={words.discard}
          onConfirm={() => {
            photoWork.discard()
            setIsDiscarding(false)
          }}
          onCancel={() => setIsDiscarding(false)}
        />
      )}
    </main>
  )
}

/** A photo or video of a refused post. Without its original, edits start from the largest picture, or from the converted video. */
async function returnedMedium(
  medium: NewPhoto | NewVideo,
  original: DraftMedium | null | undefined,
): Promise<DraftMedium> {
  // With separate files: the ones of the queued post are removed when it has left the outbox.
  if ('video' in medium) {
    if (original != null && isVideo(original) && original.source !== null)
      return { ...original, id: newId(), video: medium, work: null }
    const cues = medium.captions === null ? [] : await readCaptions(new Blob([medium.captions]))
    return returnedVideo(medium, cues.length === 0 ? null : { name: videoPlayer.captions, cues })
  }
  const { picture, altText, camera } = medium
  if (original != null && !isVideo(original)) return { ...original, id: newId(), picture, work: null }
  const source = 'dataUrl' in picture ? await blobOfDataUrl(picture.dataUrl) : picture.full
  const photo = newPhoto(source, { note: null, camera: camera ?? {} })
  const shown = CAMERA_FIELDS.filter((field) => camera?.[field] !== undefined)
  return { ...photo, picture, altText, shown, work: null }
}

/**
 * Takes the refused post that the feed's 'Edit' names out of the outbox. Returns true if the form is not empty: the
 * post then stays in the outbox.
 */
function useEditedPost(me: string): boolean {
  const { state } = useLocation()
  const navigate = useNavigate()
  const id: unknown = state?.edit
  const [isBlocked, setIsBlocked] = useState(false)
  useEffect(() => {
    if (typeof id !== 'string') return
    const take = async () => {
      const originals = await loadQueued(me, id)
      const row = await discardRow(id)
      if (row !== null) {
        const { content, location, photos } = (row as OutboxRow<NewPost>).payload
        const returned = photos.map((medium, index) => returnedMedium(medium, originals[index]))
        dispatch({ type: 'returned', id, post: { content, location }, photos: await Promise.all(returned) })
      }
      await navigate('.', { replace: true, state: null })
    }
    const { draft, restoring, reading } = useComposerStore.getState()
    if (isEmptyDraft(draft) && restoring.length === 0 && reading === 0) {
      take().catch((cause: unknown) => logFailure('outbox', cause))
    } else setIsBlocked(true)
  }, [id, me, navigate])
  return isBlocked
}
