import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type FormEvent, useId, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { IconButton } from '#/renderer/components/IconButton'
import { useMe } from '#/renderer/features/auth'
import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { useDropAndPaste } from '#/renderer/lib/useDropAndPaste'
import { useFocusReturn } from '#/renderer/lib/useFocusReturn'
import { STORY, TEXT_LIMITS } from '#/shared/limits'
import { readStoryState, withoutStory } from '../address'
import { ChooseMedia, Working } from './ChooseMedia'
import { dispatch, mediaOf, openMaking, useMakingStore } from './making-store'
import { StoryPreview } from './StoryPreview'
import { captionOf, useShareStoryMutation } from './share-story'
import { cancelMedia, useChosenMedia } from './useChosenMedia'

/** Leaves the form for where it was opened from. */
function useLeave() {
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const isOpenedHere = readStoryState(state).members !== null
  return () => {
    if (isOpenedHere) void navigate(-1)
    else void navigate({ search: withoutStory(search) }, { replace: true })
  }
}

/** Makes a story: a photo or video, words over it, and how both will look (STORY-01). */
export function MakeStoryDialog() {
  const { id: me } = useMe()
  useLayoutEffect(() => openMaking(me), [me])
  const leave = useLeave()
  // History takes its time: what is closed is gone at once, and nobody goes back twice.
  const [isOpen, setIsOpen] = useState(true)
  const handleCloseAutoFocus = useFocusReturn()
  const handleClose = () => {
    setIsOpen(false)
    leave()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(willBeOpen) => !willBeOpen && handleClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-105 -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-card has-data-preview:md:max-w-190 sm:p-6"
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
          <MakeStoryForm onShared={handleClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function MakeStoryForm({ onShared }: { onShared: () => void }) {
  const captionId = useId()
  const draft = useMakingStore((store) => store.draft)
  const { chosen, caption } = draft
  const media = mediaOf(draft)
  const sharing = useShareStoryMutation()
  const { pickMedia, takeMedia } = useChosenMedia()
  const isDragging = useDropAndPaste(takeMedia, !sharing.isPending)
  const isWorking = chosen.state === 'working'
  const isTooLong = codePoints(caption.trim()) > TEXT_LIMITS.caption
  const canShare = media !== null && !isWorking && !isTooLong && !sharing.isPending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canShare) sharing.mutate(draft, { onSuccess: onShared })
  }

  const isFrameShown = media !== null
  return (
    <form
      data-preview={isFrameShown ? '' : undefined}
      onSubmit={handleSubmit}
      className={`grid gap-4 ${isFrameShown ? 'md:grid-cols-[auto_minmax(0,1fr)] md:gap-5' : ''}`}
    >
      <div
        className={`relative mx-auto max-w-full ${isFrameShown ? 'aspect-9/16 h-[min(560px,calc(100dvh-150px))] max-md:h-[min(420px,52dvh)]' : 'h-76 w-full'}`}
      >
        {isFrameShown ? (
          <StoryPreview media={media} caption={captionOf(draft)} />
        ) : (
          <ChooseMedia isHidden={isWorking} onPick={pickMedia} />
        )}
        {isWorking && <Working progress={chosen.progress} onCancel={cancelMedia} />}
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center rounded-lg border-2 border-accent bg-paper/85 p-6 text-center font-display text-[22px]">
            {texts.makeStory.dropHere}
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {chosen.state === 'refused' && <Alert>{texts.media[chosen.code]}</Alert>}
        {isFrameShown && (
          <>
            <div>
              <label htmlFor={captionId} className="mb-1.5 block font-medium text-[13px] text-quiet">
                {texts.makeStory.caption}
              </label>
              <textarea
                id={captionId}
                rows={4}
                placeholder={texts.makeStory.captionPlaceholder}
                value={caption}
                onChange={(event) => dispatch({ type: 'typed', caption: event.target.value })}
                readOnly={sharing.isPending}
                dir="auto"
                aria-invalid={isTooLong || undefined}
                className="field-sizing-content block max-h-60 min-h-26 w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0"
              />
              <CharactersLeft text={caption.trim()} limit={TEXT_LIMITS.caption} />
            </div>
            {media.kind === 'video' && media.durationMs > STORY.videoMs && (
              <p role="status" className="text-[14px] text-quiet">
                {texts.makeStory.firstSeconds}
              </p>
            )}
            <Button
              onClick={() => dispatch({ type: 'cleared' })}
              disabled={sharing.isPending || isWorking}
              className="mt-auto w-full"
            >
              {texts.makeStory.change}
            </Button>
            <Button variant="primary" type="submit" disabled={!canShare} className="-mt-1.5 h-11 w-full">
              {sharing.isPending ? texts.makeStory.sharing : texts.makeStory.share}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}
