import { beforeEach, expect, test, vi } from 'vitest'
import { useMessagePhoto } from '#/renderer/features/messages/useMessagePhoto'
import { useStoryDraftStore } from '#/renderer/features/stories/story-draft-store'
import { storyChooser } from '#/renderer/features/stories/video-work'
import { callHook } from '#tests/renderer/dom'

const work = vi.hoisted(() => ({
  /** The progress callbacks of the files being prepared, oldest first. */
  report: [] as ((fraction: number) => void)[],
  message: { state: 'none' } as object,
  /** Receivers of the small versions, oldest first. */
  show: [] as ((preview: Blob) => void)[],
}))

function prepare(_source: Blob, { onProgress }: { onProgress: (fraction: number) => void }) {
  work.report.push(onProgress)
  return new Promise<never>(() => undefined)
}

function previewPicture() {
  return new Promise<Blob>((show) => work.show.push(show))
}

vi.mock('#/renderer/lib/media/picture/prepare-picture', () => ({ preparePicture: prepare, previewPicture }))
vi.mock('#/renderer/lib/media/story-media', () => ({
  prepareStoryMedia: prepare,
  examineVideo: async () => null,
  isVideoFile: async (source: Blob) => source.type === 'video/mp4',
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/features/messages/draft-attachments-store', () => ({
  getDraftAttachments: () => ({ photo: work.message }),
  setDraftAttachments: (_id: string, { photo }: { photo: object }) => {
    work.message = photo
  },
}))

beforeEach(() => {
  work.report.length = 0
  work.show.length = 0
})

const FORMS: [what: string, open: () => (source: Blob) => Promise<void>, shown: () => object][] = [
  ['a story', () => storyChooser.take, () => useStoryDraftStore.getState().draft.chosen],
  ['a message', () => callHook(() => useMessagePhoto('c')).takePhoto, () => work.message],
]

test.each(FORMS)(
  'CREATE-05 progress of a replaced file is not shown for the next one, in %s',
  async (_, open, shown) => {
    const take = open()
    void take(new Blob(['first']))
    await vi.waitFor(() => expect(work.report).toHaveLength(1))
    void take(new Blob(['second']))
    await vi.waitFor(() => expect(work.report).toHaveLength(2))
    const [first, second] = work.report
    second?.(0.2)
    first?.(0.9)
    expect(shown()).toMatchObject({ state: 'working', progress: 0.2 })
  },
)

test.each(FORMS)(
  'CREATE-11 a small version of the file is shown while it is prepared, in %s',
  async (_, open, shown) => {
    void open()(new Blob(['a photo']))
    await vi.waitFor(() => expect(work.report).toHaveLength(1))
    await vi.waitFor(() => expect(work.show).toHaveLength(1))
    const preview = new Blob(['small'])
    work.show[0]?.(preview)
    await vi.waitFor(() => expect(shown()).toMatchObject({ state: 'working', progress: 0, preview }))
    work.report[0]?.(0.4)
    expect(shown()).toMatchObject({ state: 'working', progress: 0.4, preview })
  },
)

test('STORY-08 a video, which may have a gigabyte, is not read for a small version', async () => {
  void storyChooser.take(new Blob(['a video'], { type: 'video/mp4' }))
  await vi.waitFor(() => expect(work.report).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(work.show).toEqual([])
})
