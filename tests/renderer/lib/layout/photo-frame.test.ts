import { describe, expect, test } from 'vitest'
import {
  columnSizes,
  fittedCorner,
  fittedStyle,
  frameStyle,
  PHOTO_HEIGHT,
} from '#/renderer/lib/layout/photo-frame'

describe('FEED-14 the frame of photos', () => {
  test('is as large as the only photo in the column, at most twice its size', () => {
    expect(frameStyle([{ width: 1_500, height: 1_000 }])).toEqual({
      '--frame-height': `max(120px, min(100cqw / 1.5, ${PHOTO_HEIGHT}, 2000px))`,
      height: 'var(--frame-height)',
      width: 'max(min(100cqw, var(--frame-height) * 1.5, 3000px))',
    })
  })

  test('is square when the size is unknown', () => {
    for (const height of [1_000, null])
      expect(frameStyle([{ width: null, height }])).toMatchObject({
        width: 'max(min(100cqw, var(--frame-height) * 1))',
      })
  })

  test('FEED-21 is higher below a wide first photo, so that upright ones are not small', () => {
    const panorama = { width: 3_000, height: 1_000 }
    const upright = { width: 800, height: 1_000 }
    const tall = `min(${PHOTO_HEIGHT}, max(350px, 41svh))`
    expect(frameStyle([panorama, upright, upright])).toMatchObject({
      '--frame-height': `max(120px, min(100cqw / 3, ${PHOTO_HEIGHT}, 2000px), min(100cqw / 0.8, ${tall}, 2000px))`,
      width:
        'max(min(100cqw, var(--frame-height) * 3, 6000px), min(100cqw, var(--frame-height) * 0.8, 1600px))',
    })
    // After an upright first photo nothing needs more height.
    expect(frameStyle([upright, panorama])).toMatchObject({
      '--frame-height': `max(120px, min(100cqw / 0.8, ${PHOTO_HEIGHT}, 2000px))`,
    })
  })

  test('contains the whole photo, at most twice its size', () => {
    expect(fittedStyle({ width: 300, height: 600 })).toEqual({
      width: 'min(100cqw, 100cqh * 0.5, 600px)',
      height: 'min(100cqh, 100cqw / 0.5, 1200px)',
    })
    expect(fittedStyle({ width: null, height: null })).toEqual({ width: '100%', height: '100%' })
  })

  test('has the alt text at the lower start corner of the photo', () => {
    const bottom = 'calc((100cqh - min(100cqh, 100cqw / 2, 600px)) / 2)'
    expect(fittedCorner({ width: 600, height: 300 }, false)).toEqual({ start: '0px', bottom })
    expect(fittedCorner({ width: 600, height: 300 }, true)).toEqual({
      start: 'calc((100cqw - min(100cqw, 100cqh * 2, 1200px)) / 2)',
      bottom,
    })
  })
})

test('MEDIA-02 a photo of the feed is loaded at the width it has there', () => {
  expect(columnSizes({ width: 500, height: 1_000 })).toBe(
    '(width >= 1600px) min(760px, 0.5 * 84svh, 1000px), min(100vw, 600px, 0.5 * 84svh, 1000px)',
  )
})
