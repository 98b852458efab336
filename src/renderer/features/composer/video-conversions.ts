import { logFailure } from '#/renderer/lib/core/logger'
import {
  examineVideo,
  MediaError,
  postVideoRules,
  preparePostVideo,
  secondsLeft,
  toMediaRefusal,
} from '#/renderer/lib/media'
import { POST_VIDEO, type VideoRules } from '#/shared/limits'
import { dispatch, useComposerStore } from './composer-store'
import { type DraftVideo, newVideo } from './draft-video'
import { isVideo } from './model'
import { createTasks } from './tasks'

/** A video of the draft; undefined if it is no longer there. */
export function draftVideo(id: string): DraftVideo | undefined {
  return useComposerStore
    .getState()
    .draft.photos.filter(isVideo)
    .find((video) => video.id === id)
}

/** What the server takes of a video. A server that cannot be asked now is taken to take all; it says otherwise when it gets one. */
export async function askVideoRules(): Promise<VideoRules> {
  const videoRules = await postVideoRules().catch((cause: unknown) => {
    logFailure('ask what the server takes', cause)
    return POST_VIDEO
  })
  useComposerStore.setState({ videoRules })
  return videoRules
}

/** Reads a chosen video for the draft. Throws MediaError, or the signal's reason after an abort. */
export async function readVideo(source: Blob, name: string, signal: AbortSignal): Promise<DraftVideo> {
  const rules = await askVideoRules()
  const info = await examineVideo(source, rules, { signal })
  if (info === null) throw new MediaError('not-media')
  return newVideo(source, { name, info, rules })
}

/** Videos that are larger than what the server takes are to be converted again: it may have refused one, or be another server. */
export async function dropOutgrown(): Promise<void> {
  const { bytes } = await askVideoRules()
  for (const medium of useComposerStore.getState().draft.photos)
    if (isVideo(medium) && medium.work === null && medium.video !== null && medium.video.video.size > bytes)
      dispatch({ type: 'video-outgrown', id: medium.id })
}

/** Converts videos of the draft one after the other, in their order: each takes all cores. */
export function createConversions() {
  const tasks = createTasks()
  const wanted = new Set<string>()
  let running: Promise<void> | null = null

  const convert = ({ id, source, edit }: DraftVideo): Promise<void> =>
    tasks.start(id, async (signal, isCurrent) => {
      try {
        if (source === null) throw new MediaError('video-interrupted')
        const rules = await askVideoRules()
        const started = performance.now()
        const video = await preparePostVideo(source, {
          edit,
          rules,
          signal,
          onProgress: (fraction) => {
            const left = secondsLeft(fraction, performance.now() - started)
            if (isCurrent()) dispatch({ type: 'medium-progress', id, fraction, secondsLeft: left })
          },
        })
        if (isCurrent()) dispatch({ type: 'video-ready', id, video })
      } catch (cause) {
        if (!isCurrent()) return
        dispatch({ type: 'medium-refused', id, ...toMediaRefusal(cause, 'convert video') })
      }
    })

  const convertAll = async () => {
    // `running` is set before this can end.
    await null
    for (;;) {
      const next = useComposerStore.getState().draft.photos.find(({ id }) => wanted.has(id))
      if (next === undefined) break
      wanted.delete(next.id)
      if (isVideo(next) && next.work !== null) await convert(next)
    }
    // The rest has left the draft.
    wanted.clear()
    running = null
  }

  return {
    /** Converts these videos after the waiting ones. Resolves when no video waits. */
    add: (videos: readonly { id: string }[]): Promise<void> => {
      for (const { id } of videos) if (tasks.doneOf(id) === undefined) wanted.add(id)
      if (wanted.size > 0) running ??= convertAll()
      return running ?? Promise.resolve()
    },
    abort: (id: string) => {
      wanted.delete(id)
      tasks.abort(id)
    },
    abortAll: () => {
      wanted.clear()
      tasks.abortAll()
    },
  }
}
