import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/core/logger'
import {
  checkStorage,
  isVideoFile,
  MediaError,
  type PictureEdit,
  photoNote,
  preparePicture,
  previewEdited,
  refusedName,
  toMediaErrorCode,
  toMediaRefusal,
} from '#/renderer/lib/media'
import type { PickedFile } from '#/shared/bridge'
import { POST_PHOTOS } from '#/shared/limits'
import { dispatch, useComposerStore } from './composer-store'
import { type DraftPhoto, newPhoto, type PhotoProblem, unprepared } from './model'

/** A chosen file that is not read yet. */
interface ChosenFile {
  name: string
  read: () => Promise<Blob>
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

/** A task of a photo, which the next one of the same kind replaces. */
interface Task {
  controller: AbortController
  done: Promise<void>
}

/** Runs one task for each photo, by its id. */
function createTasks() {
  const running = new Map<string, Task>()
  const abort = (id: string) => {
    running.get(id)?.controller.abort()
    running.delete(id)
  }
  return {
    abort,
    doneOf: (id: string) => running.get(id)?.done,
    /** Aborts the task of the photo, and starts another one. `isCurrent` returns false once it is aborted. */
    start: (id: string, work: (signal: AbortSignal, isCurrent: () => boolean) => Promise<void>) => {
      abort(id)
      const controller = new AbortController()
      const isCurrent = () => !controller.signal.aborted
      const done = work(controller.signal, isCurrent).finally(() => {
        if (isCurrent()) running.delete(id)
      })
      running.set(id, { controller, done })
      return done
    },
    abortAll: () => {
      for (const id of [...running.keys()]) abort(id)
    },
  }
}

/** Reads, shows and prepares the photos of the draft. The functions do not use `this` and can be passed on. */
function createPhotoWork() {
  const previews = createTasks()
  const preparations = createTasks()
  const draftPhotos = () => useComposerStore.getState().draft.photos

  const prepare = ({ id, source, edit, preview }: DraftPhoto): Promise<void> =>
    preparations.start(id, async (signal, isCurrent) => {
      try {
        const picture = await preparePicture(source, {
          edit,
          signal,
          ...(preview && { size: preview.original }),
          onProgress: (fraction) => isCurrent() && dispatch({ type: 'photo-progress', id, fraction }),
        })
        if (isCurrent()) dispatch({ type: 'photo-ready', id, picture })
      } catch (cause) {
        if (!isCurrent()) return
        dispatch({ type: 'photo-refused', id, ...toMediaRefusal(cause, 'choose photo') })
      }
    })

  /** Shows a photo with its edit. One that cannot be read leaves the draft, unless the member has seen it. */
  const showPreview = ({ id, source, edit }: DraftPhoto): void => {
    void previews.start(id, async (signal, isCurrent) => {
      try {
        const preview = await previewEdited(source, { edit, signal })
        if (isCurrent()) dispatch({ type: 'photo-previewed', id, preview })
      } catch (cause) {
        if (!isCurrent()) return
        const code = toMediaErrorCode(cause, 'choose photo')
        const photo = draftPhotos().find((each) => each.id === id)
        if (photo?.work == null || photo.preview !== null || photo.picture !== null) return
        preparations.abort(id)
        dispatch({ type: 'photo-refused', id, code })
      }
    })
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  /** The member edits a photo, perhaps others next. */
  let isHeld = false
  const prepareWhenIdle = () => {
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(prepareAll, IDLE_MS)
  }
  const prepareAll = () => {
    // Only 'Share' tries a photo again.
    for (const photo of unprepared(draftPhotos()))
      if (photo.work?.failure === null && preparations.doneOf(photo.id) === undefined) void prepare(photo)
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

  /** Adds the files that fit, in their order, and prepares them, unless `isWanted` returns false meanwhile. */
  const addNow = async (files: readonly ChosenFile[], isWanted: () => boolean) => {
    const { photos } = useComposerStore.getState().draft
    const room = Math.max(0, POST_PHOTOS - photos.length)
    const problems: PhotoProblem[] = []
    const added: DraftPhoto[] = []
    for (const file of files.slice(0, room)) {
      try {
        await checkStorage()
        const source = await file.read()
        if (await isVideoFile(source)) throw new MediaError('video-in-post')
        const camera = await readCamera(source)
        added.push(newPhoto(source, { note: await photoNote(source), camera }))
      } catch (cause) {
        problems.push({ type: 'refused', name: file.name, ...toMediaRefusal(cause, 'choose photo') })
      }
    }
    if (files.length > room) problems.push({ type: 'too-many', left: files.length - room })
    if (!isWanted()) return
    dispatch({ type: 'photos-added', photos: added, problems })
    added.forEach(showPreview)
    prepareWhenIdle()
  }
  /** Files that are chosen while others are being read are appended after them. */
  let queue = Promise.resolve()
  const addFiles = async (files: readonly ChosenFile[], signal = reads.signal) => {
    if (files.length === 0) return
    const { owner } = useComposerStore.getState()
    // The draft of another member must not get the photos.
    const isWanted = () => !signal.aborted && useComposerStore.getState().owner === owner
    queue = queue
      .then(() => addNow(files, isWanted))
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
    takeFiles: (files: readonly File[]) =>
      void addFiles(files.map((file) => ({ name: file.name, read: async () => file }))),
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
        if (before === undefined || JSON.stringify(before.edit) === JSON.stringify(edit)) continue
        preparations.abort(id)
        dispatch({ type: 'photo-edited', id, edit })
        showPreview({ ...before, edit })
      }
      prepareWhenIdle()
    },
    /** Prepares nothing more until it is called with false: the member edits a photo. */
    hold: (isEditing: boolean) => {
      isHeld = isEditing
      prepareWhenIdle()
    },
    /** Shows and prepares stored photos that were not prepared when the app ended. */
    resume: (photos: readonly DraftPhoto[]) => {
      unprepared(photos).forEach(showPreview)
      prepareWhenIdle()
    },
    /**
     * Prepares the photos of the post that is being shared, also photos that have failed before. `failed` if one fails. A failure is
     * in the draft's problems.
     */
    finish: async (photos: readonly DraftPhoto[]): Promise<'prepared' | 'failed' | 'cancelled'> => {
      clearTimeout(timer)
      sharing = new AbortController()
      const { signal } = sharing
      const cancelled = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      const prepared = unprepared(photos).map((photo) => preparations.doneOf(photo.id) ?? prepare(photo))
      await Promise.race([Promise.all(prepared), cancelled])
      if (signal.aborted) return 'cancelled'
      const ids = photos.map(({ id }) => id)
      return unprepared(draftPhotos()).some(({ id }) => ids.includes(id)) ? 'failed' : 'prepared'
    },
    /** Returns to the form. Running work goes on. */
    cancelSharing: () => sharing.abort(),
    remove: (id: string) => {
      previews.abort(id)
      preparations.abort(id)
      dispatch({ type: 'photo-removed', id })
    },
    /** Removes the whole draft. */
    discard: () => {
      cancelReading()
      previews.abortAll()
      preparations.abortAll()
      dispatch({ type: 'discarded' })
    },
  }
}

export const photoWork = createPhotoWork()
