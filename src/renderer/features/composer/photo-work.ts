import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import {
  isVideoFile,
  MediaError,
  nameOf,
  type PictureEdit,
  photoNote,
  preparePicture,
  previewPicture,
  refusedName,
  toMediaErrorCode,
} from '#/renderer/lib/media'
import type { PickedFile } from '#/shared/bridge'
import { dispatch, useComposerStore } from './composer-store'
import { type DraftPhoto, newPhoto, type PhotoProblem } from './model'
import { loadMaxPhotos } from './queries'

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
  return (await import('#/renderer/lib/media/camera-details')).readCameraDetails(source)
}

/** Reads and prepares the photos of the draft. The functions do not use `this` and can be passed on. */
function createPhotoWork() {
  /** Aborts the preparation of a photo, by its id. */
  const running = new Map<string, AbortController>()

  const prepare = async (
    { id, source }: Pick<DraftPhoto, 'id' | 'source'>,
    edit: PictureEdit,
    name: string | null,
  ) => {
    running.get(id)?.abort()
    const controller = new AbortController()
    running.set(id, controller)
    const isCurrent = () => running.get(id) === controller
    try {
      const picture = await preparePicture(source, {
        edit,
        signal: controller.signal,
        onProgress: (fraction) => isCurrent() && dispatch({ type: 'photo-progress', id, fraction }),
      })
      if (isCurrent()) dispatch({ type: 'photo-ready', id, picture })
    } catch (cause) {
      if (isCurrent())
        dispatch({ type: 'photo-refused', id, code: toMediaErrorCode(cause, 'choose photo'), name })
    } finally {
      if (isCurrent()) running.delete(id)
    }
  }

  /** Shows a small version of a photo that is being prepared. A file that cannot be read is refused when it is prepared. */
  const showPreview = async ({ id, source }: DraftPhoto) => {
    try {
      const preview = await previewPicture(source)
      if (preview !== null) dispatch({ type: 'photo-previewed', id, preview })
    } catch (cause) {
      if (!(cause instanceof MediaError)) logFailure('choose photo', cause)
    }
  }

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
    const limit = await loadMaxPhotos()
    const { photos } = useComposerStore.getState().draft
    const last = photos.at(-1)
    const replaces = limit === 1 && last !== undefined ? last.id : null
    const room = Math.max(0, replaces === null ? limit - photos.length : 1)
    const problems: PhotoProblem[] = []
    const added: { photo: DraftPhoto; name: string | null }[] = []
    for (const file of files.slice(0, room)) {
      try {
        const source = await file.read()
        if (await isVideoFile(source)) throw new MediaError('video-in-post')
        const camera = await readCamera(source)
        const photo = newPhoto(source, { note: await photoNote(source), replaces, camera })
        added.push({ photo, name: file.name })
      } catch (cause) {
        problems.push({ type: 'refused', name: file.name, code: toMediaErrorCode(cause, 'choose photo') })
      }
    }
    if (files.length > room) problems.push({ type: 'too-many', limit, left: files.length - room })
    if (!isWanted()) return
    dispatch({ type: 'photos-added', photos: added.map(({ photo }) => photo), problems })
    // A small version is shown first, because preparing a photo takes longer.
    for (const { photo } of added) void showPreview(photo)
    for (const { photo, name } of added) void prepare(photo, photo.edit, name)
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
    /** Prepares a photo from its original with another edit. */
    edit: ({ id, source }: DraftPhoto, edit: PictureEdit) => {
      dispatch({ type: 'photo-edited', id, edit })
      void prepare({ id, source }, edit, nameOf(source))
    },
    /** Resumes preparing stored photos that were interrupted when the app ended. */
    resume: (photos: readonly DraftPhoto[]) => {
      for (const photo of photos)
        if (photo.work !== null && !running.has(photo.id))
          void prepare(photo, photo.work.edit, nameOf(photo.source))
    },
    /** Cancels preparing a photo. A photo that was prepared before keeps its previous edit. */
    cancel: (id: string) => {
      running.get(id)?.abort()
      running.delete(id)
      dispatch({ type: 'photo-cancelled', id })
    },
    remove: (id: string) => {
      running.get(id)?.abort()
      running.delete(id)
      dispatch({ type: 'photo-removed', id })
    },
    /** Removes the whole draft. */
    discard: () => {
      cancelReading()
      for (const controller of running.values()) controller.abort()
      running.clear()
      dispatch({ type: 'discarded' })
    },
  }
}

export const photoWork = createPhotoWork()
