import { desktop } from '#/renderer/features/desktop'
import {
  type ClipEdit,
  checkStorage,
  createMediaChooser,
  examineVideo,
  initialEdit,
  isVideoFile,
  type MediaFile,
  type NamedFile,
  nameOf,
  type PreparedMedia,
  type PrepareOptions,
  prepareStoryMedia,
  previewPicture,
  secondsLeft,
  toMediaErrorCode,
} from '#/renderer/lib/media'
import { STORY_VIDEO } from '#/shared/limits'
import {
  type Clip,
  dispatchDraft,
  forgetStoryDraft,
  isEmptyDraft,
  openStoryDraft,
  useStoryDraftStore,
} from './story-draft-store'

/** Rejects with the signal's reason when the work is aborted. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** What is kept of a chosen video; null for a photo. Waits while the member chooses a part. Throws MediaError. */
async function clipOf(source: MediaFile, options: PrepareOptions): Promise<Clip | null> {
  const { next, lost } = useStoryDraftStore.getState().draft
  // The member has chosen another part of the same video.
  if (next?.source === source) return next
  const info = await examineVideo(source, STORY_VIDEO, options)
  options.signal?.throwIfAborted()
  if (info === null) return null
  const name = nameOf(source) ?? ''
  const isLost = lost?.name === name && lost.bytes === source.size
  const clip: Clip = {
    source,
    name,
    info,
    ...(isLost
      ? { edit: lost.edit, step: lost.step }
      : {
          edit: initialEdit(info.seconds, STORY_VIDEO),
          step: info.seconds > STORY_VIDEO.seconds ? 'editing' : 'whole',
        }),
  }
  dispatchDraft({ type: 'clip', clip })
  if (clip.step === 'editing') await aborted(options.signal)
  return clip
}

async function prepare(source: MediaFile, options: PrepareOptions): Promise<PreparedMedia> {
  await checkStorage()
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
async function preview(source: MediaFile, options: Pick<PrepareOptions, 'signal'>): Promise<Blob | null> {
  return !(source instanceof Blob) || (await isVideoFile(source)) ? null : previewPicture(source, options)
}

/** Prepares what is chosen for the story. It goes on while the form is closed. */
export const storyChooser = createMediaChooser<PreparedMedia, MediaFile>({
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

const draftNow = () => useStoryDraftStore.getState().draft

/** Adds a file to the member's draft; if that is being shared, afterwards. Never rejects. */
export async function takeForStory(me: string, file: NamedFile): Promise<void> {
  await openDraftOf(me)
  if (draftNow().sending === null) await storyChooser.take(file)
  else waitFor(file)
}

function waitFor(file: NamedFile): void {
  dispatchDraft({ type: 'waiting', files: [...draftNow().waiting, file] })
}

/** Adds the videos that the app was opened with, of which a story takes one. Never rejects. */
export async function takeOpened(me: string): Promise<void> {
  await openDraftOf(me)
  let isFirst = true
  try {
    for (;;) {
      const video = await desktop.files.takeOpenedVideo()
      if (video === null) return
      if (isFirst && draftNow().sending === null) void storyChooser.take(video)
      else waitFor(video)
      isFirst = false
    }
  } catch (cause) {
    const code = toMediaErrorCode(cause, 'open video')
    dispatchDraft({ type: 'media', change: { type: 'refused', code, name: null } })
  }
}

/** Adds the file that waited for the draft before. */
function takeWaiting(): void {
  const [next, ...files] = draftNow().waiting
  if (next === undefined) return
  dispatchDraft({ type: 'waiting', files })
  void storyChooser.take(next)
}

/** The story with this id is stored, or waits in the outbox. */
export function endDraft(id: string): void {
  dispatchDraft({ type: 'shared', id })
  if (isEmptyDraft(draftNow())) takeWaiting()
}

/** Removes the media and the caption. */
export function clearDraft(): void {
  dispatchDraft({ type: 'cleared' })
  takeWaiting()
}

/** Converts the video again with what the member chose. */
export function applyEdit(edit: ClipEdit): void {
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
