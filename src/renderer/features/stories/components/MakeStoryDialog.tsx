import { useMutation } from '@tanstack/react-query'
import { Clapperboard, ImagePlus, Scissors, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { FileNote } from '#/renderer/components/FileNote'
import { IconButton } from '#/renderer/components/IconButton'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { TextArea } from '#/renderer/components/TextArea'
import { VideoEditor } from '#/renderer/components/VideoEditor'
import { useMe } from '#/renderer/features/auth'
import { desktop, pickVideos } from '#/renderer/features/desktop'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { useDropAndPaste } from '#/renderer/lib/browser/useDropAndPaste'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { fileRefusal, mediaOf, shownName } from '#/renderer/lib/media'
import { useMayStoreMedia } from '#/renderer/lib/media/source/storage-store'
import { useModalRoute } from '#/renderer/lib/navigation/modal-route'
import { cancelRow, discardRow, type OutboxRow, submit, useUploadProgress } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { STORY, STORY_VIDEO, TEXT_LIMITS } from '#/shared/limits'
import { readStoryState, storyState } from '../address'
import { type NewStory, STORY_SCOPE, storyKind } from '../mutations'
import {
  captionOf,
  dispatchDraft,
  isEmptyDraft,
  type StoryDraft,
  useStoryDraftStore,
} from '../story-draft-store'
import {
  applyEdit,
  clearDraft,
  closeEditor,
  endDraft,
  openDraftOf,
  storyChooser,
  takeForStory,
  takeOpened,
} from '../video-work'
import { FRAME_HEIGHT, StoryPreview } from './StoryPreview'

/** The form for a new story: a photo or video, a caption and a preview (STORY-01). */
export function MakeStoryDialog() {
  const { id: me } = useMe()
  useLayoutEffect(() => void openDraftOf(me), [me])
  useEffect(() => {
    const take = () => void takeOpened(me)
    take()
    return desktop.files.onOpened(take)
  }, [me])
  const { close, root } = useModalRoute('story')
  const handleCloseAutoFocus = useFocusReturn()
  return (
    <Dialog.Root {...root}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-105 -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-card sm:p-6 md:max-w-190"
        >
          <div className="mb-4 flex items-start justify-between gap-3">
            <Dialog.Title className="pt-1 font-semibold text-[18px] leading-tight">
              {texts.makeStory.title}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={texts.close} size="medium" className="-me-2 -mt-1.5 text-quiet">
                <X />
              </IconButton>
            </Dialog.Close>
          </div>
          <MakeStory me={me} onShared={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Focuses the first field instead of the close button. */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget
  const field =
    dialog instanceof HTMLElement ? dialog.querySelector<HTMLElement>('textarea, form button') : null
  if (field === null) return
  event.preventDefault()
  field.focus()
}

/**
 * Shares the draft through the outbox. A failure is only logged and keeps all input (STORY-01); while the connection is
 * lost the story waits (STORY-10).
 */
export function useShareStoryMutation() {
  return useMutation({
    mutationFn: async (draft: StoryDraft) => {
      const media = mediaOf(draft.chosen)
      if (media === null) return
      dispatchDraft({ type: 'sent' })
      const payload = { media, caption: captionOf(draft), replaces: draft.replaces }
      await submit(storyKind, { id: draft.id, scope: STORY_SCOPE, payload })
    },
    // Here and not in `mutate`, because the form may have been closed meanwhile.
    onSuccess: (_data, { id }) => endDraft(id),
    onError: (_cause, { id }) => dispatchDraft({ type: 'failed', id }),
    meta: { action: 'share story' },
  })
}

/**
 * Takes the pending story whose 'Edit' opened the form out of the outbox. Returns true if the form is not empty: the
 * story then stays in the outbox.
 */
export function useEditedStory(): boolean {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const id = readStoryState(state).edit
  const [isBlocked, setIsBlocked] = useState(false)
  useEffect(() => {
    if (id === null) return
    const take = async () => {
      const row = await discardRow(id)
      if (row !== null) dispatchDraft({ type: 'returned', id, story: (row as OutboxRow<NewStory>).payload })
      await navigate({ search }, { replace: true, state: storyState() })
    }
    if (isEmptyDraft(useStoryDraftStore.getState().draft))
      take().catch((cause: unknown) => logFailure('outbox', cause))
    else setIsBlocked(true)
  }, [id, search, navigate])
  return isBlocked
}

/** The editor of a video while it is open, else the form. */
function MakeStory({ me, onShared }: { me: string; onShared: () => void }) {
  const next = useStoryDraftStore(({ draft }) => draft.next)
  if (next?.step === 'editing')
    return (
      <VideoEditor
        clip={next}
        rules={STORY_VIDEO}
        note={texts.makeStory.limits}
        className={`${FRAME_HEIGHT} aspect-9/16 max-md:h-[min(300px,40dvh)]`}
        onApply={applyEdit}
        onCancel={closeEditor}
      />
    )
  return <MakeStoryForm me={me} onShared={onShared} />
}

function MakeStoryForm({ me, onShared }: { me: string; onShared: () => void }) {
  const { draft, isAsking } = useStoryDraftStore()
  const { chosen, caption } = draft
  // Not the mutation's own state, because the form may have been closed and reopened meanwhile.
  const isSending = draft.sending !== null
  const media = mediaOf(chosen)
  const uploaded = useUploadProgress(draft.sending)
  const isEditBlocked = useEditedStory()
  const sharing = useShareStoryMutation()
  const mayTakeMedia = useMayStoreMedia()
  const isDragging = useDropAndPaste((file) => void takeForStory(me, file), mayTakeMedia)
  const isWorking = chosen.state === 'working'
  const early = useLocalUrl(isWorking ? chosen.preview : null)
  const canShare =
    mayTakeMedia &&
    media !== null &&
    !isWorking &&
    !isAsking &&
    !exceeds(caption, TEXT_LIMITS.caption) &&
    !isSending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    // A file that waited for this story is in the form now.
    const closeIfEmpty = () => isEmptyDraft(useStoryDraftStore.getState().draft) && onShared()
    if (canShare) sharing.mutate(draft, { onSuccess: closeIfEmpty })
  }

  const isFrameShown = media !== null
  const captionField = useRef<HTMLTextAreaElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)
  const handleClear = () => {
    // The form shows the buttons instead of the preview before it takes the focus.
    flushSync(clearDraft)
    chooseButton.current?.focus()
  }
  // Not on touch screens, where the keyboard would cover the picture.
  useEffect(() => {
    if (isFrameShown && window.matchMedia('(pointer: fine)').matches) captionField.current?.focus()
  }, [isFrameShown])
  return (
    <form
      onSubmit={handleSubmit}
      className={`relative grid gap-4 ${isFrameShown ? 'md:grid-cols-[auto_minmax(0,1fr)] md:gap-5' : ''}`}
    >
      <div
        className={`relative mx-auto max-w-full ${FRAME_HEIGHT} ${isFrameShown ? 'aspect-9/16 max-md:h-[min(420px,52dvh)]' : 'w-full max-md:h-76'}`}
      >
        {isFrameShown ? (
          <StoryPreview media={media} caption={captionOf(draft)} />
        ) : (
          <ChooseMedia
            mayChoose={mayTakeMedia}
            isHidden={isWorking || isDragging}
            buttonRef={chooseButton}
            onPick={(kind) => void pickMedia(kind)}
          />
        )}
        {early !== null && (
          <img
            src={early}
            alt=""
            className="absolute inset-0 size-full rounded-lg bg-black object-contain"
            draggable={false}
          />
        )}
        {isWorking && (
          <ProgressOverlay
            label={texts.makeStory.working}
            progress={chosen.progress}
            // Its empty line keeps the form in place.
            detail={draft.next === null ? undefined : texts.makeStory.secondsLeft(draft.secondsLeft)}
            onCancel={storyChooser.cancel}
            isOverPreview={early !== null}
            className="rounded-lg"
          />
        )}
        {uploaded !== null && draft.sending !== null && (
          <ProgressOverlay
            label={texts.makeStory.uploading}
            progress={uploaded}
            onCancel={() => logIfFails('outbox', cancelRow(draft.sending ?? ''))}
            className="rounded-lg"
          />
        )}
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center rounded-lg border-2 border-accent bg-paper/85 p-6 text-center font-display text-[22px]">
            {texts.makeStory.dropHere}
          </div>
        )}
      </div>
      <div
        className={`flex min-w-0 flex-col gap-4 empty:hidden ${isFrameShown ? '' : 'md:absolute md:inset-x-8 md:bottom-8'}`}
      >
        {!mayTakeMedia && isFrameShown && <Alert>{texts.media['no-storage']}</Alert>}
        {chosen.state === 'refused' && (
          <Alert>{fileRefusal(chosen.name, chosen.code, chosen.longestSeconds)}</Alert>
        )}
        {media?.kind === 'video' && media.isSoundLost === true && <Alert>{texts.makeStory.soundLost}</Alert>}
        {draft.lost !== null && chosen.state === 'none' && (
          <Alert>{fileRefusal(draft.lost.name, 'video-interrupted')}</Alert>
        )}
        {draft.waiting.length > 0 && (
          <p role="status" className="text-[14px] text-quiet">
            {texts.makeStory.next(shownName(draft.waiting[0]?.name ?? ''), draft.waiting.length - 1)}
          </p>
        )}
        {isEditBlocked && <Alert>{texts.makeStory.editLater}</Alert>}
        {isFrameShown && (
          <>
            <TextArea
              ref={captionField}
              me={me}
              label={texts.makeStory.caption}
              rows={4}
              placeholder={texts.makeStory.captionPlaceholder}
              value={caption}
              limit={TEXT_LIMITS.caption}
              onText={(text) => dispatchDraft({ type: 'typed', caption: text })}
              readOnly={isSending}
              className="max-h-60 min-h-26"
            />
            {media.kind === 'image' && media.note !== undefined && <FileNote note={media.note} use="story" />}
            {media.kind === 'video' && media.durationMs > STORY.videoMs && (
              <p role="status" className="text-[14px] text-quiet">
                {texts.makeStory.firstSeconds}
              </p>
            )}
            {draft.clip !== null && (
              <Button
                onClick={() => dispatchDraft({ type: 'editor-opened' })}
                disabled={isSending || isWorking}
                className="-mb-1.5 w-full"
              >
                <Scissors aria-hidden="true" className="size-4.5" />
                {texts.makeStory.edit}
              </Button>
            )}
            <Button onClick={handleClear} disabled={isSending || isWorking} className="mt-auto w-full">
              {texts.makeStory.change}
            </Button>
            <Button variant="primary" type="submit" disabled={!canShare} className="-mt-1.5 h-11 w-full">
              {isSending ? texts.makeStory.sharing : texts.makeStory.share}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

interface ChooseMediaProps {
  /** Whether the server can store what is chosen. */
  mayChoose: boolean
  /** Progress or the drop hint is shown instead. */
  isHidden: boolean
  /** The first button. */
  buttonRef: RefObject<HTMLButtonElement | null>
  onPick: (kind: 'photo' | 'video') => void
}

/** The empty frame with its buttons. */
function ChooseMedia({ mayChoose, isHidden, buttonRef, onPick }: ChooseMediaProps) {
  return (
    <div className="grid size-full place-items-center rounded-lg border border-edge border-dashed bg-sunk p-6 text-center">
      {!mayChoose && <p className="text-[13.5px] text-quiet">{texts.media['no-storage']}</p>}
      {mayChoose && !isHidden && (
        <div className="grid w-full max-w-56 gap-2.5">
          <Button ref={buttonRef} variant="primary" onClick={() => onPick('photo')}>
            <ImagePlus aria-hidden="true" className="size-4.5" />
            {texts.makeStory.choosePhoto}
          </Button>
          <Button onClick={() => onPick('video')}>
            <Clapperboard aria-hidden="true" className="size-4.5" />
            {texts.makeStory.chooseVideo}
          </Button>
          <p className="mt-2 text-[13.5px] text-quiet">{texts.makeStory.hint}</p>
        </div>
      )}
    </div>
  )
}

async function pickMedia(kind: 'photo' | 'video'): Promise<void> {
  if (kind === 'photo') return storyChooser.takeFile(() => desktop.files.pick(kind))
  const [file] = await pickVideos(false)
  if (file !== undefined) await storyChooser.take(file)
}
