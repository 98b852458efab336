import { beforeEach, expect, test, vi } from 'vitest'
import { useMessagePhoto } from '#/renderer/features/messages/useMessagePhoto'
import { useStoryDraftStore } from '#/renderer/features/stories/story-draft-store'
import { storyChooser } from '#/renderer/features/stories/video-work'
import { callHook } from '../../page-without-dom'

const work = vi.hoisted(() => ({
  /** The progress callbacks of the files being prepared, oldest first. */
  report: [] as ((fraction: number) => void)[],
  message: { state: 'none' } as object,
}))

function prepare(_source: Blob, { onProgress }: { onProgress: (fraction: number) => void }) {
  work.report.push(onProgress)
  return new Promise<never>(() => undefined)
}

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/media/prepare-picture', () => ({ preparePicture: prepare }))
vi.mock('#/renderer/lib/media/story-media', () => ({
  prepareStoryMedia: prepare,
  examineVideo: async () => null,
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/features/messages/draft-attachments-store', () => ({
  setDraftAttachments: (_id: string, { photo }: { photo: object }) => {
    work.message = photo
  },
}))

beforeEach(() => {
  work.report.length = 0
})

test.each([
  ['a story', () => storyChooser.take, () => useStoryDraftStore.getState().draft.chosen],
  ['a message', () => callHook(() => useMessagePhoto('c')).takePhoto, () => work.message],
])('CREATE-05 progress of a replaced file is not shown for the next one, in %s', async (_, open, shown) => {
  const take = open()
  void take(new Blob(['first']))
  await vi.waitFor(() => expect(work.report).toHaveLength(1))
  void take(new Blob(['second']))
  await vi.waitFor(() => expect(work.report).toHaveLength(2))
  const [first, second] = work.report
  second?.(0.2)
  first?.(0.9)
  expect(shown()).toMatchObject({ state: 'working', progress: 0.2 })
})
