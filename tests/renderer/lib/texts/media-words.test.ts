import { expect, test } from 'vitest'
import { texts } from '#/renderer/lib/texts'

const { photos, photoOf, altOf, video } = texts.post

test.each([
  [[false], '1 photo', 'Photo 1 of 1', 'Alt text of photo 1 of 1'],
  [[true], '1 video', 'Video 1 of 1', 'Alt text of video 1 of 1'],
  [[true, true], '2 videos', 'Video 1 of 2', 'Alt text of video 1 of 2'],
  [[false, true, false], '2 photos and 1 video', 'Photo, 1 of 3', 'Alt text of photo, 1 of 3'],
  [[true, false], '1 photo and 1 video', 'Video, 1 of 2', 'Alt text of video, 1 of 2'],
])('FEED-14 the photos and videos of a post are counted as what they are: %j', (videos, all, first, alt) => {
  expect(photos(videos.length, videos)).toBe(all)
  expect(photoOf(1, videos.length, videos)).toBe(first)
  expect(altOf(1, videos.length, videos)).toBe(alt)
})

test('FEED-14 without videos, a number is one of photos', () => {
  expect([photos(3), photoOf(2, 3), altOf(2, 3)]).toEqual([
    '3 photos',
    'Photo 2 of 3',
    'Alt text of photo 2 of 3',
  ])
})

test('PROF-06 the length of a video is said in words', () => {
  expect([video(45), video(61)]).toEqual(['Video, 45 seconds', 'Video, 1 minute 1 second'])
})
