import {
  createMediaChooser,
  examineVideo,
  isVideoFile,
  type PreparedMedia,
  type PrepareOptions,
  prepareStoryMedia,
  previewPicture,
  type StoryEdit,
} from '#/renderer/lib/media'
import { VIDEO } from '#/shared/limits'
import {
  type Clip,
  dispatchDraft,
  forgetStoryDraft,
  isEmptyDraft,
  openStoryDraft,
  useStoryDraftStore,
} from './story-draft-store'
import { initialEdit, secondsLeft } from './trim'

/** Rejects with the signal's reason when the work is aborted. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** What is kept of a chosen video; null for a photo. Waits while the member chooses a part. Throws MediaError. */
async function clipOf(source: Blob, options: PrepareOptions): Promise<Clip | null> {
  const { next, lost } = useStoryDraftStore.getState().draft
  // The member has chosen another part of the same video.
  if (next?.source === source) return next
  const info = await examineVideo(source, options)
  options.signal?.throwIfAborted()
  if (info === null) return null
  const name = source instanceof File ? source.name : ''
  const isLost = lost?.name === name && lost.bytes === source.size
  const clip: Clip = {
    source,
    name,
    info,
    ...(isLost
      ? { edit: lost.edit, step: lost.step }
      : { edit: initialEdit(info.seconds), step: info.seconds > VIDEO.seconds ? 'editing' : 'whole' }),
  }
  dispatchDraft({ type: 'clip', clip })
  if (clip.step === 'editing') await aborted(options.signal)
  return clip
}

async function prepare(source: Blob, options: PrepareOptions): Promise<PreparedMedia> {
  const clip = await clipOf(source, options)
  if (clip === null) return prepareStoryMedia(source, options)
  const started = performance.now()
  return prepareStoryMedia(source, {
    ...options,
    edit: clip.edit,
    onProgress: (fraction) => {
      options.onProgress?.(fraction)
      // A replaced file may still report.
      if (options.signal?.aborted !== true)
        dispatchDraft({ type: 'time-left', seconds: secondsLeft(fraction, performance.now() - started) })
    },
  })
}

/** A video, which may have a gigabyte, is not read for it. */
async function preview(source: Blob, options: Pick<PrepareOptions, 'signal'>): Promise<Blob | null> {
  return (await isVideoFile(source)) ? null : previewPicture(source, options)
}

/** Prepares what is chosen for the story. It goes on while the form is closed. */
export const storyChooser = createMediaChooser({
  what: 'choose story media',
  prepare,
  preview,
  onChange: (change) => dispatchDraft({ type: 'media', change }),
  onAsking: (isAsking) => useStoryDraftStore.setState({ isAsking }),
})

/** Opens the draft of a member, and resolves when it is loaded. Work on another member's draft ends: its result would be in the wrong one. */
export async function openDraftOf(me: string): Promise<void> {
  if (useStoryDraftStore.getState().owner !== me) storyChooser.cancel()
  const source = await openStoryDraft(me)
  if (source !== null) void storyChooser.take(source)
}

/** Removes a member's draft, and ends the work on it, whose result would be a draft again. */
export function forgetDraftOf(me: string): void {
  if (useStoryDraftStore.getState().owner === me) storyChooser.cancel()
  forgetStoryDraft(me)
}

/** Adds a file to the member's draft; if that is being shared, afterwards. */
export async function takeForStory(me: string, file: File): Promise<void> {
  await openDraftOf(me)
  if (useStoryDraftStore.getState().draft.sending === null) await storyChooser.take(file)
  else dispatchDraft({ type: 'waiting', file })
}

/** Adds the file that waited for the draft before. */
function takeWaiting(): void {
  const { waiting } = useStoryDraftStore.getState().draft
  if (waiting === null) return
  dispatchDraft({ type: 'waiting', file: null })
  void storyChooser.take(waiting)
}

/** The story with this id is stored, or waits in the outbox. */
export function endDraft(id: string): void {
  dispatchDraft({ type: 'shared', id })
  if (isEmptyDraft(useStoryDraftStore.getState().draft)) takeWaiting()
}

/** Removes the media and the caption. */
export function clearDraft(): void {
  dispatchDraft({ type: 'cleared' })
  takeWaiting()
}

/** Converts the video again with what the member chose. */
export function applyEdit(edit: StoryEdit): void {
  const { next } = useStoryDraftStore.getState().draft
  if (next === null) return
  dispatchDraft({ type: 'edited', edit })
  void storyChooser.take(next.source)
}

/** Closes the editor. A video whose part was not chosen yet is dropped. */
export function closeEditor(): void {
  storyChooser.cancel()
  dispatchDraft({ type: 'editor-closed' })
}
