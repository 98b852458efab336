import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dispatch, useComposerStore } from '#/renderer/features/composer/composer-store'
import { emptyDraft } from '#/renderer/features/composer/model'
import { photoWork } from '#/renderer/features/composer/photo-work-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { type PictureEdit, type PicturePreview, UNEDITED } from '#/renderer/lib/media'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { checkStorage } from '#/renderer/lib/media/source/storage-store'
import { FILE_TOO_LARGE } from '#/shared/bridge-error'

const PICTURE = { dataUrl: 'data:,', thumbnailUrl: 'data:,', width: 3, height: 2 }

const PREVIEW: PicturePreview = {
  file: new Blob(['preview']),
  colorSpace: 'srgb',
  original: { width: 3, height: 2 },
  width: 3,
  height: 2,
}

const work = vi.hoisted(() => ({
  /** The edits with which files were prepared. */
  edits: [] as unknown[],
  /** The result of preparing a file with this content. */
  outcome: {} as Record<string, Promise<unknown>>,
  /** The edits with which files were shown. */
  shown: [] as unknown[],
  /** The result of showing a file with this content. */
  previews: {} as Record<string, Promise<unknown>>,
  picked: [] as (string | Promise<string> | Error)[],
  opened: [] as string[],
}))

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/post', () => ({ canPost: () => true }))
vi.mock('#/renderer/lib/media/source/storage-store', () => ({ checkStorage: vi.fn() }))
vi.mock('#/renderer/features/composer/draft-files-store', () => ({
  filesPlace: () => '',
  saveFiles: () => undefined,
}))
vi.mock('#/renderer/lib/media/picture/prepare-picture', () => ({
  preparePicture: async (source: Blob, { edit }: { edit: PictureEdit }) => {
    work.edits.push(edit)
    return (await work.outcome[await source.text()]) ?? PICTURE
  },
  previewEdited: async (source: Blob, { edit }: { edit: PictureEdit }) => {
    work.shown.push(edit)
    return (await work.previews[await source.text()]) ?? PREVIEW
  },
}))
vi.mock('#/renderer/features/desktop', () => ({
  desktop: {
    files: {
      pickPhotos: async () => work.picked.map((_, index) => `${index}.jpg`),
      readPicked: async (position: number) => {
        const content = work.picked[position]
        if (content instanceof Error) throw content
        return { name: '', bytes: new TextEncoder().encode(await content) }
      },
      takeOpened: async () => {
        const name = work.opened.shift()
        return name === undefined ? null : { name, bytes: new TextEncoder().encode(name) }
      },
    },
  },
}))

const files = (...names: string[]) => names.map((name) => new File([name], `${name}.jpg`))
const draft = () => useComposerStore.getState().draft
const contents = () => Promise.all(draft().photos.map(({ source }) => source?.text()))
const isDone = async () => {
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(draft().photos.every((photo) => photo.work === null)).toBe(true))
}

/** Adds files, and waits until all remaining ones are prepared. */
async function take(...names: string[]): Promise<void> {
  const before = draft()
  photoWork.takeFiles(files(...names))
  await vi.waitFor(() => expect(draft()).not.toBe(before))
  await isDone()
}

beforeEach(() => {
  // Pictures are prepared after a pause.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  useComposerStore.setState({ owner: '', draft: emptyDraft(), restoring: [], reading: 0 })
  Object.assign(work, { edits: [], outcome: {}, shown: [], previews: {}, picked: [], opened: [] })
  vi.mocked(checkStorage).mockReset()
  vi.mocked(logFailure).mockClear()
})

afterEach(() => vi.useRealTimers())

test('CREATE-07 of more than ten photos, the first ten are added and the rest is counted', async () => {
  await take('a', 'b')
  await take(...'cdefghijklm')
  expect(await contents()).toEqual([...'abcdefghij'])
  expect(draft().problems).toEqual([{ type: 'too-many', left: 3 }])
  await take('n')
  expect(draft().problems).toEqual([{ type: 'too-many', left: 1 }])
})

test('CREATE-07 a broken file among good ones is named, and the others are added; a single file is named too', async () => {
  work.previews.bad = Promise.reject(new MediaError('broken'))
  await take('a', 'bad', 'b')
  expect(await contents()).toEqual(['a', 'b'])
  expect(draft().problems).toEqual([{ type: 'refused', name: 'bad.jpg', code: 'broken' }])
  await take('bad')
  expect(draft().problems).toEqual([{ type: 'refused', name: 'bad.jpg', code: 'broken' }])
  expect(logFailure).not.toHaveBeenCalled()
})

test('CREATE-07 chosen files are read one by one; one that is too large is named', async () => {
  work.picked = ['a', Object.assign(new Error('too large'), { code: FILE_TOO_LARGE }), 'b']
  await photoWork.pickPhotos()
  await isDone()
  expect(await contents()).toEqual(['a', 'b'])
  expect(draft().problems).toEqual([{ type: 'refused', name: '1.jpg', code: 'too-large' }])
  expect(logFailure).not.toHaveBeenCalled()
})

/** Makes a file of this content take until the returned function is called with its picture. */
function prepareSlowly(name: string): (picture: unknown) => void {
  let finish = (_picture: unknown): void => undefined
  work.outcome[name] = new Promise((resolve) => {
    finish = resolve
  })
  return finish
}

const isShown = () =>
  vi.waitFor(() => expect(draft().photos.map(({ preview }) => preview)).not.toContain(null))

test('CREATE-11 every photo is shown at once, and prepared after the last new one', async () => {
  const before = draft()
  photoWork.takeFiles(files('a', 'b'))
  await vi.waitFor(() => expect(draft()).not.toBe(before))
  await isShown()
  expect(draft().photos).toMatchObject([{ picture: null }, { picture: null }])
  expect(work.edits).toEqual([])
  await isDone()
  expect(draft().photos).toMatchObject([{ picture: PICTURE }, { picture: PICTURE }])
  expect(work.edits).toHaveLength(2)
})

test('CREATE-07 nothing is prepared while a photo is edited', async () => {
  photoWork.hold(true)
  photoWork.takeFiles(files('a'))
  await vi.waitFor(() => expect(draft().photos).toHaveLength(1))
  await isShown()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work.edits).toEqual([])
  photoWork.hold(false)
  await isDone()
  expect(work.edits).toEqual([UNEDITED])
})

test('CREATE-07 sharing prepares what is left at once, and tries again what has failed', async () => {
  photoWork.hold(true)
  photoWork.takeFiles(files('a', 'bad'))
  await vi.waitFor(() => expect(draft().photos).toHaveLength(2))
  await isShown()
  work.outcome.bad = Promise.reject(new MediaError('failed'))
  expect(await photoWork.finish(draft().photos)).toBe('failed')
  expect(draft().photos).toMatchObject([{ work: null }, { work: { failure: 'failed' } }])
  expect(draft().problems).toEqual([{ type: 'refused', name: 'bad.jpg', code: 'failed' }])
  work.outcome = {}
  expect(await photoWork.finish(draft().photos)).toBe('prepared')
  expect(draft().photos).toMatchObject([{ work: null }, { work: null }])
  expect(work.edits).toHaveLength(3)
  photoWork.hold(false)
})

test('CREATE-07 sharing can be cancelled while a photo is prepared, which then goes on', async () => {
  const finish = prepareSlowly('slow')
  photoWork.takeFiles(files('slow'))
  await vi.waitFor(() => expect(draft().photos).toHaveLength(1))
  const finished = photoWork.finish(draft().photos)
  await vi.waitFor(() => expect(work.edits).toHaveLength(1))
  photoWork.cancelSharing()
  expect(await finished).toBe('cancelled')
  finish(PICTURE)
  await isDone()
  expect(work.edits).toHaveLength(1)
})

test('CREATE-07 all photos that the app was opened with are added', async () => {
  work.opened = ['a', 'b']
  await photoWork.takeOpened()
  await isDone()
  expect(await contents()).toEqual(['a', 'b'])
})

test('MEDIA-01 on a server without Storage no photo is read or prepared', async () => {
  vi.mocked(checkStorage).mockRejectedValue(new MediaError('no-storage'))
  await take('a')
  expect(draft()).toMatchObject({
    photos: [],
    problems: [{ type: 'refused', name: 'a.jpg', code: 'no-storage' }],
  })
  expect([...work.shown, ...work.edits]).toEqual([])
})

/** Starts picking a file that is read once the returned function is called. */
function pickSlowly(): () => Promise<void> {
  let read = (_content: string): void => undefined
  work.picked = [
    new Promise((resolve) => {
      read = resolve
    }),
  ]
  const picked = photoWork.pickPhotos()
  return () => {
    read('slow')
    return picked
  }
}

const isReading = () => useComposerStore.getState().reading > 0
const untilReading = () => vi.waitFor(() => expect(isReading()).toBe(true))

test('CREATE-07 the composer is reading until every chosen file is in the draft or refused', async () => {
  const finish = pickSlowly()
  await untilReading()
  photoWork.takeFiles(files('a'))
  await finish()
  await vi.waitFor(() => expect(isReading()).toBe(false))
  expect(await contents()).toEqual(['slow', 'a'])
  work.picked = [new Error('disk')]
  await photoWork.pickPhotos()
  expect(isReading()).toBe(false)
})

test('CREATE-07 the composer is reading until the last photo that the app was opened with is read', async () => {
  work.opened = ['a', 'b']
  const seen: boolean[] = []
  const stop = useComposerStore.subscribe(({ draft: { photos }, reading }) => {
    if (photos.length === 1) seen.push(reading > 0)
  })
  await photoWork.takeOpened()
  stop()
  expect(new Set(seen)).toEqual(new Set([true]))
  expect(isReading()).toBe(false)
})

test.for(['cancelReading', 'discard'] as const)(
  'CREATE-07 %s drops the file in progress, and the composer accepts the next file',
  async (drop) => {
    const finish = pickSlowly()
    await untilReading()
    photoWork[drop]()
    expect(isReading()).toBe(false)
    await finish()
    expect(draft().photos).toEqual([])
    expect(isReading()).toBe(false)
    await take('a')
    expect(await contents()).toEqual(['a'])
  },
)

test('CREATE-08 a file that is read after a sign-out is not added to the draft of the next member', async () => {
  const finish = pickSlowly()
  await untilReading()
  useComposerStore.setState({ owner: 'another' })
  await finish()
  expect(draft().photos).toEqual([])
  expect(isReading()).toBe(false)
})

test('CREATE-07 an edit starts from the original each time, and the last one wins', async () => {
  await take('a')
  const [photo] = draft().photos
  if (photo === undefined) throw new Error('no photo')
  photoWork.edit([{ id: photo.id, edit: { ...UNEDITED, turns: 1 } }])
  photoWork.edit([{ id: photo.id, edit: { ...UNEDITED, filter: 'ink' } }])
  await isDone()
  expect(draft().photos[0]).toMatchObject({ edit: { turns: 0, filter: 'ink' } })
  expect(work.shown).toEqual([UNEDITED, { ...UNEDITED, turns: 1 }, { ...UNEDITED, filter: 'ink' }])
  expect(work.edits).toEqual([UNEDITED, { ...UNEDITED, filter: 'ink' }])
  photoWork.edit([{ id: photo.id, edit: { ...UNEDITED, filter: 'ink' } }])
  expect(draft().photos[0]?.work).toBeNull()
})

test('CREATE-08 the preparation of restored photos is resumed, with their edits', async () => {
  await take('a')
  const edit: PictureEdit = { ...UNEDITED, exposure: 1 }
  dispatch({ type: 'photo-edited', id: draft().photos[0]?.id ?? '', edit })
  photoWork.resume(draft().photos)
  await isDone()
  expect(draft().photos[0]?.edit).toEqual(edit)
  expect(work.shown.at(-1)).toEqual(edit)
  expect(work.edits.at(-1)).toEqual(edit)
})

test('CREATE-07 a photo that is removed, or a draft that is discarded, does not come back when it is ready', async () => {
  const finish = prepareSlowly('slow')
  photoWork.takeFiles(files('slow', 'a'))
  await vi.waitFor(() => expect(work.edits).toHaveLength(2))
  photoWork.remove(draft().photos[0]?.id ?? '')
  finish(PICTURE)
  await isDone()
  expect(await contents()).toEqual(['a'])
  photoWork.discard()
  expect(draft().photos).toEqual([])
})

test('CREATE-07 a file that cannot be read for an unknown reason is logged', async () => {
  const cause = new Error('disk')
  work.picked = [cause]
  await photoWork.pickPhotos()
  expect(draft().problems).toEqual([{ type: 'refused', name: '0.jpg', code: 'failed' }])
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('choose photo', cause)
})
