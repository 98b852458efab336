import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { StoryMedia } from '#/renderer/features/stories/components/StoryMedia'
import type { Story } from '#/renderer/features/stories/queries'
import { show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/stories/queries', () => ({
  STORY_SIZES: '',
  useMedia: () => ({ media: { kind: 'video', video: new Blob(['video']) }, isError: false }),
  useThumbnail: () => null,
}))

test.each([
  [0.001, false],
  [0.4, false],
  [3, true],
  // A stream that does not say how long it is.
  [Number.POSITIVE_INFINITY, true],
])('STORY-09 a video of %s s begins again at its end: %s', (duration, loops) => {
  const story = {
    id: 's',
    author: { username: 'ada' },
    thumbhash: null,
    poster_path: null,
  } as unknown as Story
  const props = { elapsedMs: 0, jumps: 0, isPlaying: false, isReady: true, isMuted: true }
  const { container } = show(<StoryMedia story={story} {...props} onReady={() => undefined} />)
  const video = container.querySelector('video')
  if (video === null) throw new Error('No video')
  Object.defineProperty(video, 'duration', { value: duration })
  fireEvent.durationChange(video)
  expect(video.loop).toBe(loops)
})
