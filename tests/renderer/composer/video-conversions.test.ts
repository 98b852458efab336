import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dispatch, useComposerStore } from '#/renderer/features/composer/composer-store'
import { emptyDraft, isVideo } from '#/renderer/features/composer/model'
import { photoWork } from '#/renderer/features/composer/photo-work-store'
import { logFailure } from '#/renderer/lib/core/logger'
import type { ClipEdit, VideoInfo } from '#/renderer/lib/media'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { POST_VIDEO, type VideoRules } from '#/shared/limits'

interface Conversion {
  name: string
  edit: ClipEdit
  rules: VideoRules
  signal: AbortSignal
  onProgress: (fraction: number) => void
  end: (bytes?: number) => void
  fail: (cause: unknown) => void
}

const work = vi.hoisted(() => ({
  conversions: [] as unknown[],
  rules: null as unknown,
  seconds: 30,
  refusal: null as Error | null,
  picked: [] as File[],
}))
const conversions = work.conversions as Conversion[]

const PREVIEW = {
  file: new Blob(),
  colorSpace: 'srgb',
  original: { width: 4, height: 3 },
  width: 4,
  height: 3,
}

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/post', () => ({ canPost: () => true }))
vi.mock('#/renderer/lib/media/source/storage-store', () => ({
  checkStorage: async () => undefined,
  postVideoRules: async () => {
    if (work.rules instanceof Error) throw work.rules
    return work.rules
  },
}))
vi.mock('#/renderer/features/composer/draft-files-store', () => ({
  filesPlace: () => '',
  saveFiles: () => undefined,
}))
vi.mock('#/renderer/lib/media/picture/prepare-picture', () => ({
  preparePicture: async () => ({ dataUrl: 'data:,', thumbnailUrl: 'data:,', width: 4, height: 3 }),
  previewEdited: async () => PREVIEW,
}))
vi.mock('#/renderer/lib/media/story-media', () => ({
  isVideoFile: async (file: File) => !file.name.endsWith('.jpg'),
  previewVideo: async () => PREVIEW,
  examineVideo: async (): Promise<VideoInfo> => {
    if (work.refusal !== null) throw work.refusal
    return { seconds: work.seconds, width: 1920, height: 1080, sound: 'readable' }
  },
  preparePostVideo: (source: File, options: object) =>
    new Promise((resolve, reject) => {
      const { signal } = options as Conversion
      signal.addEventListener('abort', () => reject(signal.reason))
      const end = (bytes = 1) =>
        resolve({ video: { size: bytes }, durationMs: 1, hasSound: true, cover: PREVIEW })
      work.conversions.push({ ...options, name: source.name, end, fail: reject })
    }),
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {}, pickVideos: async () => work.picked }))

const files = (...names: string[]) => names.map((name) => new File([name], name))
const draft = () => useComposerStore.getState().draft
const videos = () => draft().photos.filter(isVideo)
const running = () => conversions.filter(({ signal }) => !signal.aborted)
const idle = () => vi.advanceTimersByTimeAsync(1_000)

/** Adds files, and waits until their previews are shown and conversions may have started. */
async function take(...names: string[]): Promise<void> {
  const before = draft()
  photoWork.takeFiles(files(...names))
  await vi.waitFor(() => expect(draft()).not.toBe(before))
  await vi.waitFor(() => expect(useComposerStore.getState().reading).toBe(0))
  await idle()
}

const started = (count: number) => vi.waitFor(() => expect(conversions).toHaveLength(count))
const conversion = (index: number): Conversion => {
  const found = conversions[index]
  if (found === undefined) throw new Error(`There is no conversion ${index}`)
  return found
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  photoWork.endConversions()
  useComposerStore.setState({ owner: '', draft: emptyDraft(), restoring: [], reading: 0 })
  conversions.length = 0
  Object.assign(work, { rules: POST_VIDEO, seconds: 30, refusal: null, picked: [] })
  vi.mocked(logFailure).mockClear()
})

afterEach(() => vi.useRealTimers())

test('CREATE-12 photos and videos that are dropped together are added in their order, and videos are converted one after the other', async () => {
  await take('a.mov', 'b.jpg', 'c.mov')
  expect(draft().photos.map(isVideo)).toEqual([true, false, true])
  expect(conversions.map(({ name }) => name)).toEqual(['a.mov'])
  conversion(0).onProgress(0.5)
  expect(videos()[0]?.work).toMatchObject({ progress: 0.5, failure: null })
  conversion(0).end()
  await started(2)
  expect(conversion(1)).toMatchObject({ name: 'c.mov', rules: POST_VIDEO })
  conversion(1).end()
  await vi.waitFor(() => expect(videos().map(({ work: left }) => left)).toEqual([null, null]))
})

test('CREATE-12 of more than ten photos and videos the first ten are added', async () => {
  work.picked = files(...Array.from({ length: 11 }, (_, index) => `${index}.mov`))
  await photoWork.pickVideos()
  expect(draft().photos).toHaveLength(10)
  expect(draft().problems).toEqual([{ type: 'too-many', left: 1 }])
})

test('CREATE-12 a video that cannot be read is named, and the others are added', async () => {
  work.refusal = new MediaError('video-hevc')
  await take('a.mov', 'b.jpg')
  expect(draft().photos.map(isVideo)).toEqual([false])
  expect(draft().problems).toEqual([{ type: 'refused', name: 'a.mov', code: 'video-hevc' }])
})

test('CREATE-12 Cancel ends a conversion and keeps the video, which is converted on Share', async () => {
  await take('a.mov')
  const [video] = videos()
  photoWork.holdVideo(video?.id ?? '')
  expect(conversion(0).signal.aborted).toBe(true)
  await idle()
  expect(conversions).toHaveLength(1)
  expect(videos()).toMatchObject([{ isHeld: true, work: { progress: 0, failure: null } }])
  const done = photoWork.finish(draft().photos)
  await started(2)
  conversion(1).end()
  expect(await done).toBe('prepared')
})

test('CREATE-12 a video that is too long is not converted before the member has chosen a part', async () => {
  work.seconds = 700
  await take('a.mov')
  expect(conversions).toEqual([])
  const id = videos()[0]?.id ?? ''
  const edit = { from: 50, to: 650, cover: 60, isMuted: true }
  photoWork.editVideo(id, edit)
  await idle()
  expect(conversions).toMatchObject([{ edit }])
  // Another part ends it.
  photoWork.editVideo(id, { ...edit, from: 60 })
  expect(conversion(0).signal.aborted).toBe(true)
  await idle()
  expect(running()).toMatchObject([{ edit: { from: 60 } }])
})

test('CREATE-12 nothing is converted while the member chooses a part', async () => {
  photoWork.hold(true)
  await take('a.mov')
  expect(conversions).toEqual([])
  photoWork.hold(false)
  await idle()
  expect(conversions).toHaveLength(1)
})

test('CREATE-12 a server that takes less is asked before a video is converted', async () => {
  const rules = { ...POST_VIDEO, bytes: 50_000_000 }
  work.rules = rules
  await take('a.mov')
  expect(useComposerStore.getState().videoRules).toEqual(rules)
  expect(conversions).toMatchObject([{ rules }])
})

test('CREATE-12 a server that cannot be asked now is taken to take all', async () => {
  work.rules = new Error('offline')
  await take('a.mov')
  expect(conversions).toMatchObject([{ rules: POST_VIDEO }])
  expect(logFailure).toHaveBeenCalledWith('ask what the server takes', work.rules)
})

test('CREATE-12 a video that the server has refused because of its size is converted again, or has to be shortened', async () => {
  await take('a.mov')
  conversion(0).end(120_000_000)
  await vi.waitFor(() => expect(videos()[0]?.work).toBeNull())
  const rules = { ...POST_VIDEO, bytes: 50_000_000 }
  work.rules = rules
  const done = photoWork.finish(draft().photos)
  await started(2)
  expect(conversion(1)).toMatchObject({ rules })
  conversion(1).fail(new MediaError('video-too-large-after', { longestSeconds: 9 }))
  expect(await done).toBe('failed')
  expect(draft().problems).toEqual([
    { type: 'refused', name: 'a.mov', code: 'video-too-large-after', longestSeconds: 9 },
  ])
  expect(draft().photos).toHaveLength(1)
})

test('CREATE-12 Cancel while a post is shared returns to the form: what was being converted goes on, what waited for Share ends', async () => {
  await take('a.mov')
  const done = photoWork.finish(draft().photos)
  await vi.waitFor(() => expect(photoWork.cancelSharing()).toBeUndefined())
  photoWork.cancelSharing()
  expect(await done).toBe('cancelled')
  expect(running()).toHaveLength(1)
  photoWork.holdVideo(videos()[0]?.id ?? '')
  const again = photoWork.finish(draft().photos)
  await started(2)
  photoWork.cancelSharing()
  expect(await again).toBe('cancelled')
  expect(running()).toEqual([])
})

test('CREATE-08 a restart returns a large video without its file, which is found when the member chooses it again', async () => {
  await take('a.mov')
  const [video] = videos()
  photoWork.endConversions()
  if (video === undefined) throw new Error('There is no video')
  const lost = {
    ...video,
    source: null,
    isHeld: false,
    work: { progress: 0, failure: 'video-interrupted' } as const,
  }
  useComposerStore.setState({ draft: { ...emptyDraft(), photos: [lost] } })
  photoWork.resume(draft().photos)
  await idle()
  expect(await photoWork.finish(draft().photos)).toBe('failed')
  expect(draft().problems).toEqual([{ type: 'refused', name: 'a.mov', code: 'video-interrupted' }])
  await take('b.mov')
  expect(draft().photos).toHaveLength(2)
  await take('a.mov')
  expect(draft().photos).toHaveLength(2)
  expect(videos()[0]).toMatchObject({ id: video.id, edit: video.edit, work: { failure: null } })
})

test('CREATE-12 a conversion ends when another member has the window', async () => {
  useComposerStore.setState({ owner: 'mara' })
  await take('a.mov')
  useComposerStore.setState({ owner: 'noor', draft: emptyDraft() })
  expect(running()).toEqual([])
})

test('CREATE-12 a removed video is not converted any more, and the next one is', async () => {
  await take('a.mov', 'b.mov')
  photoWork.remove(videos()[0]?.id ?? '')
  await started(2)
  expect(running()).toMatchObject([{ name: 'b.mov' }])
  dispatch({ type: 'discarded' })
})
