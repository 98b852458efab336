import { describe, expect, test } from 'vitest'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { OpenedVideo } from '#/renderer/lib/media/video/open-video'
import { cutOf } from '#/renderer/lib/media/video/plan-conversion'
import { STORY_VIDEO } from '#/shared/limits'

const WHOLE = [{ from: 0, to: Number.POSITIVE_INFINITY, shift: 0 }]

/** A video whose pictures begin at 0 and whose sound begins at `soundAt`, in seconds. */
function video(seconds: number, soundAt: number): OpenedVideo {
  const track = (first: number) => ({ getFirstTimestamp: async () => first })
  return {
    video: track(0),
    audio: track(soundAt),
    pictures: WHOLE,
    heard: WHOLE,
    from: 0,
    to: seconds,
    info: { seconds, width: 4, height: 3, sound: 'readable' },
  } as unknown as OpenedVideo
}

describe('STORY-08 the part of a video that is kept', () => {
  test('is all of it up to a minute, also if the member chose that', async () => {
    for (const edit of [undefined, { from: 0, to: 50, isMuted: true }])
      expect(await cutOf(video(50, 1), edit, STORY_VIDEO)).toEqual({
        pictures: WHOLE,
        heard: WHOLE,
        start: 0,
        origin: 0,
        seconds: 50,
        isTrimmed: false,
      })
  })

  test('is the first minute of a longer one', async () => {
    const part = [{ from: 0, to: 60, shift: 0 }]
    expect(await cutOf(video(100, 0), undefined, STORY_VIDEO)).toEqual({
      pictures: part,
      heard: part,
      start: 0,
      origin: 0,
      seconds: 60,
      isTrimmed: true,
    })
  })

  test('is what the member chose, of at most a minute', async () => {
    const part = [{ from: 10, to: 25, shift: 0 }]
    const chosen = { pictures: part, heard: part, start: 10, origin: 10, seconds: 15, isTrimmed: true }
    expect(await cutOf(video(50, 0), { from: 10, to: 25, isMuted: false }, STORY_VIDEO)).toEqual(chosen)
    expect(await cutOf(video(200, 0), { from: 100, to: 190, isMuted: false }, STORY_VIDEO)).toMatchObject({
      start: 100,
      seconds: 60,
    })
  })

  test('is refused if it shows no picture: all that was cut away would stay', async () => {
    const nothing = new MediaError('video-empty-part')
    const late = { ...video(11, 0), pictures: [{ from: 0, to: 3, shift: 8 }] }
    await expect(cutOf(late, { from: 0, to: 4, isMuted: false }, STORY_VIDEO)).rejects.toThrow(nothing)
    await expect(cutOf(late, { from: 0, to: 9, isMuted: false }, STORY_VIDEO)).resolves.toMatchObject({
      pictures: [{ from: 0, to: 1, shift: 8 }],
    })
    const hours = { ...video(36_003, 0), pictures: [{ from: 0, to: 3, shift: 36_000 }] }
    await expect(cutOf(hours, undefined, STORY_VIDEO)).rejects.toThrow(nothing)
  })

  test('starts with its pictures where the sound begins later', async () => {
    const part = [{ from: 10, to: 25, shift: 0 }]
    expect(await cutOf(video(50, 12), { from: 10, to: 25, isMuted: false }, STORY_VIDEO)).toMatchObject({
      start: 10,
      heard: part,
    })
  })
})
