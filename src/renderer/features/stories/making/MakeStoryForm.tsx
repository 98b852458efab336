import { type FormEvent, useEffect, useRef } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { TextArea } from '#/renderer/components/TextArea'
import { mediaOf } from '#/renderer/lib/media'
import { exceeds } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { useDropAndPaste } from '#/renderer/lib/useDropAndPaste'
import { STORY, TEXT_LIMITS } from '#/shared/limits'
import { ChooseMedia } from './ChooseMedia'
import { dispatch, useMakingStore } from './making-store'
import { StoryPreview } from './StoryPreview'
import { captionOf, useShareStoryMutation } from './share-story'
import { useChosenMedia } from './useChosenMedia'

/** Chooses a photo or video, writes over it, shares both; a failure is only logged and keeps everything. */
export function MakeStoryForm({ onShared }: { onShared: () => void }) {
  const draft = useMakingStore((store) => store.draft)
  const { chosen, caption } = draft
  // By the draft, not by this form's request: it may have been closed and opened while the story is on its way.
  const isSending = draft.sending !== null
  const media = mediaOf(chosen)
  const sharing = useShareStoryMutation()
  const { pickMedia, takeMedia, cancelMedia } = useChosenMedia()
  const isDragging = useDropAndPaste(takeMedia, !isSending)
  const isWorking = chosen.state === 'working'
  const canShare = media !== null && !isWorking && !exceeds(caption, TEXT_LIMITS.caption) && !isSending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canShare) sharing.mutate(draft, { onSuccess: onShared })
  }

  const isFrameShown = media !== null
  const captionField = useRef<HTMLTextAreaElement>(null)
  // What is typed next is the caption; on touch screens the keyboard would cover the picture.
  useEffect(() => {
    if (isFrameShown && window.matchMedia('(pointer: fine)').matches) captionField.current?.focus()
  }, [isFrameShown])
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
          <ChooseMedia isHidden={isWorking || isDragging} onPick={pickMedia} />
        )}
        {isWorking && (
          <ProgressOverlay
            label={texts.makeStory.working}
            progress={chosen.progress}
            onCancel={cancelMedia}
            className="rounded-lg"
          />
        )}
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center rounded-lg border-2 border-accent bg-paper/85 p-6 text-center font-display text-[22px]">
            {texts.makeStory.dropHere}
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4 empty:hidden">
        {chosen.state === 'refused' && <Alert>{texts.media[chosen.code]}</Alert>}
        {isFrameShown && (
          <>
            <TextArea
              ref={captionField}
              label={texts.makeStory.caption}
              rows={4}
              placeholder={texts.makeStory.captionPlaceholder}
              value={caption}
              limit={TEXT_LIMITS.caption}
              onChange={(event) => dispatch({ type: 'typed', caption: event.target.value })}
              readOnly={isSending}
              className="max-h-60 min-h-26"
            />
            {media.kind === 'video' && media.durationMs > STORY.videoMs && (
              <p role="status" className="text-[14px] text-quiet">
                {texts.makeStory.firstSeconds}
              </p>
            )}
            <Button
              onClick={() => dispatch({ type: 'cleared' })}
              disabled={isSending || isWorking}
              className="mt-auto w-full"
            >
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
