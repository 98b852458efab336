import { beforeEach, expect, test, vi } from 'vitest'
import { useVideoDrops } from '#/renderer/features/stories/useVideoDrops'
import { callHook } from '#tests/renderer/dom'

const work = vi.hoisted(() => ({
  navigate: vi.fn(async () => undefined),
  takeForStory: vi.fn(async () => undefined),
  logIfFails: vi.fn(),
}))

vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn(), logIfFails: work.logIfFails }))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'mara' }) }))
vi.mock('react-router-dom', async (original) => ({
  ...(await original<object>()),
  useNavigate: () => work.navigate,
}))
vi.mock('#/renderer/features/stories/video-work', () => ({ takeForStory: work.takeForStory }))

const video = () => new File([Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1')], 'beach.mov')
const photo = () => new File([Buffer.from('\xff\xd8\xff\xe0', 'latin1')], 'beach.jpg')

beforeEach(() => vi.clearAllMocks())

/** Drops files, and returns the ones that the form for a post gets. */
async function drop(...files: File[]): Promise<readonly File[]> {
  const onFiles = vi.fn()
  callHook(() => useVideoDrops(onFiles))(files)
  const [what, done] = work.logIfFails.mock.calls[0] ?? []
  expect(what).toBe('add video to story')
  await done
  return onFiles.mock.calls.flat(2)
}

test('CREATE-06 STORY-08 a single video opens the form for a story with it', async () => {
  const file = video()
  expect(await drop(file)).toEqual([])
  expect(work.navigate).toHaveBeenCalledWith({ pathname: '/', search: '?story=new' })
  expect(work.takeForStory).toHaveBeenCalledWith('mara', file)
})

test('CREATE-06 photos, and a video among them, stay with the post', async () => {
  for (const files of [[photo()], [photo(), video()], [video(), video()]]) {
    vi.clearAllMocks()
    expect(await drop(...files)).toEqual(files)
  }
  expect(work.navigate).not.toHaveBeenCalled()
})
