import { desktop, pickCaptions, pickVideos } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import {
  type ClipEdit,
  checkStorage,
  isVideoFile,
  type PictureEdit,
  photoNote,
  preparePicture,
  previewEdited,
  previewVideo,
  refusedName,
  toMediaErrorCode,
  toMediaRefusal,
} from '#/renderer/lib/media'
import type { PickedFile } from '#/shared/bridge'
import { POST_PHOTOS } from '#/shared/limits'
import { CaptionsError, readCaptions } from './captions'
import { dispatch, useComposerStore } from './composer-store'
import { type DraftPhoto, newPhoto } from './draft-photo'
import { isLost } from './draft-video'
import { type DraftMedium, isVideo, type PhotoProblem, shownPicture, unprepared } from './model'
import { createTasks } from './tasks'
import { askVideoRules, createConversions, draftVideo, dropOutgrown, readVideo } from './video-conversions'

/** A chosen file that is not read yet. */
interface ChosenFile {
  name: string
  /** If it is known before it is read. */
  bytes?: number
  read: () => Promise<Blob>
}

function chosen(file: File): ChosenFile {
  return { name: file.name, bytes: file.size, read: async () => file }
}

/** A chosen file, which keeps its name for what is said about it. */
function fileOf({ name, bytes }: PickedFile): File {
  return new File([bytes], name)
}

async function readCamera(source: Blob) {
  return (await import('#/renderer/lib/media/metadata/camera-details')).readCameraDetails(source)
}

/** Pictures are prepared this long after the last new photo or edit, in milliseconds: the member may go on. */
const IDLE_MS = 1_000

/** Reads, shows and prepares the photos and videos of the draft. The functions do not use `this` and can be passed on. */
function createPhotoWork() {
  const previews = createTasks()
  const preparations = createTasks()
  const conversions = createConversions()
  const draftPhotos = () => useComposerStore.getState().draft.photos

  const prepare = ({ id, source, edit, preview }: DraftPhoto): Promise<void> =>
    preparations.start(id, async (signal, isCurrent) => {
      try {
        const picture = await preparePicture(source, {
          edit,
          signal,
          ...(preview && { size: preview.original }),
          onProgress: (fraction) => isCurrent() && dispatch({ type: 'medium-progress', id, fraction }),
        })
        if (isCurrent()) dispatch({ type: 'photo-ready', id, picture })
      } catch (cause) {
        if (!isCurrent()) return
        dispatch({ type: 'medium-refused', id, ...toMediaRefusal(cause, 'choose photo') })
      }
    })

  const readPreview = (medium: DraftMedium, signal: AbortSignal) => {
    if (!isVideo(medium)) return previewEdited(medium.source, { edit: medium.edit, signal })
    const { source, info, edit } = medium
    return source && previewVideo(source, info, { at: edit.cover, signal })
  }

  /** Shows a photo with its edit, or the cover of a video. One that cannot be read leaves the draft, unless the member has seen it. */
  const showPreview = (medium: DraftMedium): void => {
    const { id } = medium
    void previews.start(id, async (signal, isCurrent) => {
      try {
        const preview = await readPreview(medium, signal)
        if (isCurrent() && preview !== null) dispatch({ type: 'medium-previewed', id, preview })
      } catch (cause) {
        if (!isCurrent()) return
        const unread = toMediaErrorCode(cause, 'choose photo')
        const code = unread === 'not-a-picture' ? 'not-media' : unread
        const shown = draftPhotos().find((each) => each.id === id)
        if (shown?.work == null || shownPicture(shown) !== null) return
        preparations.abort(id)
        conversions.abort(id)
        dispatch({ type: 'medium-refused', id, code })
      }
    })
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  /** The member edits a photo or video, perhaps others next. */
  let isHeld = false
  const prepareWhenIdle = () => {
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(prepareAll, IDLE_MS)
  }
  const prepareAll = () => {
    // Only 'Share' tries one again.
    const waiting = unprepared(draftPhotos()).filter(({ work }) => work?.failure === null)
    for (const photo of waiting)
      if (!isVideo(photo) && preparations.doneOf(photo.id) === undefined) void prepare(photo)
    conversions.add(waiting.filter((medium) => isVideo(medium) && !medium.isHeld))
  }
  /** Aborted when the member cancels sharing. */
  let sharing = new AbortController()

  /** Aborted when the member cancels reading or discards the draft. */
  let reads = new AbortController()

  /** Counts `read` as reading, so that the draft is not shared without the files. */
  const whileReading = async (signal: AbortSignal, read: () => Promise<void>) => {
    const count = (change: 1 | -1) =>
      useComposerStore.setState(({ reading }) => ({ reading: reading + change }))
    count(1)
    try {
      await read()
    } finally {
      if (!signal.aborted) count(-1)
    }
  }

  /** Drops the files that are being read. */
  const cancelReading = () => {
    reads.abort()
    reads = new AbortController()
    useComposerStore.setState({ reading: 0 })
  }

  const readFile = async ({ name, read }: ChosenFile, signal: AbortSignal): Promise<DraftMedium> => {
    await checkStorage()
    const source = await read()
    if (await isVideoFile(source)) return readVideo(source, name, signal)
    const camera = await readCamera(source)
    return newPhoto(source, { note: await photoNote(source), camera })
  }

  /** Adds the files that fit, in their order, and prepares them, unless `isWanted` returns false meanwhile. */
  const addNow = async (files: readonly ChosenFile[], isWanted: () => boolean, signal: AbortSignal) => {
    const { photos } = useComposerStore.getState().draft
    const problems: PhotoProblem[] = []
    const added: DraftMedium[] = []
    const lost = photos.filter(isVideo).filter(isLost)
    const found: { id: string; source: Blob }[] = []
    let left = 0
    for (const file of files) {
      const { name, bytes } = file
      const again = lost.findIndex((video) => video.name === name && video.bytes === bytes)
      const [video] = again < 0 ? [] : lost.splice(again, 1)
      if (video === undefined && photos.length + added.length >= POST_PHOTOS) {
        left += 1
        continue
      }
      try {
        if (video === undefined) added.push(await readFile(file, signal))
        else found.push({ id: video.id, source: await file.read() })
      } catch (cause) {
        if (!isWanted()) return
        problems.push({ type: 'refused', name, ...toMediaRefusal(cause, 'choose photo') })
      }
    }
    if (left > 0) problems.push({ type: 'too-many', left })
    if (!isWanted()) return
    dispatch({ type: 'photos-added', photos: added, problems })
    for (const { id, source } of found) dispatch({ type: 'video-found', id, source })
    const ids = [...added, ...found].map(({ id }) => id)
    draftPhotos()
      .filter(({ id }) => ids.includes(id))
      .forEach(showPreview)
    prepareWhenIdle()
  }
  /** Files that are chosen while others are being read are appended after them. */
  let queue = Promise.resolve()
  const addFiles = async (files: readonly ChosenFile[], signal = reads.signal) => {
    if (files.length === 0) return
    const { owner } = useComposerStore.getState()
    // The draft of another member must not get them.
    const isWanted = () => !signal.aborted && useComposerStore.getState().owner === owner
    queue = queue
      .then(() => addNow(files, isWanted, signal))
      .catch((cause: unknown) => logFailure('choose photo', cause))
    await whileReading(signal, () => queue)
  }

  const refuse = (cause: unknown) => {
    const problem = {
      type: 'refused',
      name: refusedName(cause),
      code: toMediaErrorCode(cause, 'choose photo'),
    } as const
    dispatch({ type: 'photos-added', photos: [], problems: [problem] })
  }

  return {
    /** Adds dropped or pasted files. */
    takeFiles: (files: readonly File[]) => void addFiles(files.map(chosen)),
    /** Asks for videos with the file dialog. */
    pickVideos: async () => addFiles((await pickVideos(true)).map(chosen)),
    /** Asks for photos with the file dialog. */
    pickPhotos: async () => {
      try {
        const names = await desktop.files.pickPhotos()
        const read = (position: number) => async () => fileOf(await desktop.files.readPicked(position))
        await addFiles(names.map((name, position) => ({ name, read: read(position) })))
      } catch (cause) {
        refuse(cause)
      }
    },
    /** Adds the photos that the app was opened with. */
    takeOpened: async () => {
      try {
        const { signal } = reads
        let next = await desktop.files.takeOpened()
        if (next === null) return
        await whileReading(signal, async () => {
          while (next !== null) {
            const { name, bytes } = next
            await addFiles([{ name, read: async () => fileOf({ name, bytes }) }], signal)
            next = await desktop.files.takeOpened()
          }
        })
      } catch (cause) {
        refuse(cause)
      }
    },
    cancelReading,
    /** Changes photos from their originals: shows them at once, and prepares them later. */
    edit: (edits: readonly { id: string; edit: PictureEdit }[]) => {
      for (const { id, edit } of edits) {
        const before = draftPhotos().find((photo) => photo.id === id)
        if (before === undefined || isVideo(before) || JSON.stringify(before.edit) === JSON.stringify(edit))
          continue
        preparations.abort(id)
        dispatch({ type: 'photo-edited', id, edit })
        showPreview({ ...before, edit })
      }
      prepareWhenIdle()
    },
    /** Converts a video with what the member has chosen: shows its cover at once. */
    editVideo: (id: string, edit: ClipEdit) => {
      const before = draftVideo(id)
      const isSame = JSON.stringify(before?.edit) === JSON.stringify(edit)
      if (before === undefined || (isSame && !before.isHeld)) return
      conversions.abort(id)
      dispatch({ type: 'video-edited', id, edit })
      showPreview({ ...before, edit })
      prepareWhenIdle()
    },
    /** Ends the conversion of a video, which stays in the draft. */
    holdVideo: (id: string) => {
      conversions.abort(id)
      dispatch({ type: 'video-held', id })
    },
    /** Asks for a file with the captions of a video, and adds them. */
    pickCaptions: async (id: string) => {
      const file = await pickCaptions()
      if (file === null) return
      try {
        const cues = await readCaptions(file)
        dispatch({ type: 'video-captioned', id, captions: { name: file.name, cues } })
      } catch (cause) {
        if (!(cause instanceof CaptionsError)) throw cause
        dispatch({ type: 'captions-refused', name: file.name, problem: cause.problem })
      }
    },
    removeCaptions: (id: string) => dispatch({ type: 'video-captioned', id, captions: null }),
    /** Prepares nothing more until it is called with false: the member edits a photo or video. */
    hold: (isEditing: boolean) => {
      isHeld = isEditing
      prepareWhenIdle()
    },
    /** Shows and prepares what is stored and was not prepared when the app ended. */
    resume: (photos: readonly DraftMedium[]) => {
      unprepared(photos).forEach(showPreview)
      if (photos.some(isVideo)) logIfFails('ask what the server takes', askVideoRules())
      prepareWhenIdle()
    },
    /**
     * Prepares what is being shared, also what has failed before. `failed` if something fails: it is in the draft's problems.
     */
    finish: async (photos: readonly DraftMedium[]): Promise<'prepared' | 'failed' | 'cancelled'> => {
      clearTimeout(timer)
      sharing = new AbortController()
      const { signal } = sharing
      const cancelled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      const ids = photos.map(({ id }) => id)
      const shared = () => draftPhotos().filter(({ id }) => ids.includes(id))
      if (photos.some(isVideo)) await Promise.race([dropOutgrown(), cancelled])
      const waiting = unprepared(shared())
      const prepared = waiting.flatMap((medium) =>
        isVideo(medium) ? [] : [preparations.doneOf(medium.id) ?? prepare(medium)],
      )
      const converted = conversions.add(waiting.filter(isVideo))
      await Promise.race([Promise.all([...prepared, converted]), cancelled])
      if (signal.aborted) {
        // What waits for 'Share' waits again.
        for (const { id } of shared().filter((medium) => isVideo(medium) && medium.isHeld))
          conversions.abort(id)
        return 'cancelled'
      }
      return unprepared(shared()).length > 0 ? 'failed' : 'prepared'
    },
    /** Returns to the form. Running work goes on. */
    cancelSharing: () => sharing.abort(),
    remove: (id: string) => {
      previews.abort(id)
      preparations.abort(id)
      conversions.abort(id)
      dispatch({ type: 'medium-removed', id })
    },
    /** Ends all conversions; `resume` begins them again. */
    endConversions: conversions.abortAll,
    /** Removes the whole draft. */
    discard: () => {
      cancelReading()
      previews.abortAll()
      preparations.abortAll()
      conversions.abortAll()
      dispatch({ type: 'discarded' })
    },
  }
}

export const photoWork = createPhotoWork()

// A conversion takes minutes, and its result belongs to the member who has the window.
useComposerStore.subscribe(({ owner }, before) => {
  if (owner !== before.owner) photoWork.endConversions()
})
