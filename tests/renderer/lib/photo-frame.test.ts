import { describe, expect, test } from 'vitest'
import { columnSizes, FRAME_HEIGHT, fittedCorner, fittedStyle, frameStyle } from '#/renderer/lib/photo-frame'

describe('FEED-14 the frame of a photo', () => {
  test('has its ratio, and is at most twice as high as the photo', () => {
    expect(frameStyle({ width: 1_500, height: 1_000 })).toEqual({
      aspectRatio: 1.5,
      minHeight: 120,
      maxHeight: `min(${FRAME_HEIGHT}, 2000px)`,
    })
  })

  test('is square when the size is unknown', () => {
    expect(frameStyle({ width: null, height: 1_000 }).aspectRatio).toBe(1)
    expect(frameStyle({ width: null, height: null }).maxHeight).toBe(`min(${FRAME_HEIGHT})`)
  })

  test('contains the whole photo, at most twice its size', () => {
    expect(fittedStyle({ width: 300, height: 600 })).toEqual({
      width: 'min(100cqw, 100cqh * 0.5, 600px)',
      height: 'min(100cqh, 100cqw / 0.5, 1200px)',
    })
    expect(fittedStyle({ width: null, height: null })).toEqual({ width: '100%', height: '100%' })
  })

  test('has the photo in its middle, with the alt text at the lower start corner', () => {
    expect(fittedCorner({ width: 600, height: 300 })).toEqual({
      start: 'calc((100cqw - min(100cqw, 100cqh * 2, 1200px)) / 2)',
      bottom: 'calc((100cqh - min(100cqh, 100cqw / 2, 600px)) / 2)',
    })
  })
})

test('MEDIA-02 a photo of the feed is loaded at the width it has there', () => {
  expect(columnSizes({ width: 500, height: 1_000 })).toBe(`min(100vw, 600px, 0.5 * ${FRAME_HEIGHT}, 1000px)`)
})
