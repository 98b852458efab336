import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Frame,
  fittedView,
  levelAfter,
  levelBeside,
  movedBy,
  overflow,
  wheelFactor,
  zoomedAt,
  zoomLevels,
} from '#/renderer/features/post/zoom'

const STAGE = { width: 1_000, height: 800 }
/** Fits at a quarter of its size. */
const LARGE: Frame = { photo: { width: 4_000, height: 3_000 }, stage: STAGE }

const sides = fc.integer({ min: 1, max: 12_288 })
const frames: fc.Arbitrary<Frame> = fc.record({
  photo: fc.record({ width: sides, height: sides }),
  stage: fc.record({
    width: fc.integer({ min: 200, max: 3_840 }),
    height: fc.integer({ min: 200, max: 2_160 }),
  }),
})

describe('MEDIA-08 zoom levels', () => {
  test('are the fitted scale, one and two pixels of the screen for each of the picture', () => {
    expect(zoomLevels(LARGE, 1)).toEqual([0.25, 1, 2])
    expect(zoomLevels(LARGE, 2)).toEqual([0.25, 0.5, 1])
  })

  test('leave out the ones that the fitted photo has reached, and end at twice it if it is the largest', () => {
    expect(zoomLevels({ photo: { width: 800, height: 600 }, stage: STAGE }, 1)).toEqual([1.25, 2])
    // A small photo is enlarged to twice its size at most until the member zooms.
    expect(zoomLevels({ photo: { width: 64, height: 48 }, stage: STAGE }, 1)).toEqual([2, 4])
    expect(zoomLevels({ photo: { width: 1_000, height: 800 }, stage: STAGE }, 2)).toEqual([1, 2])
  })

  test('a double click leads through them and back, + and − stop at the ends', () => {
    const levels = [0.25, 1, 2] as const
    expect([0.25, 1, 2, 1.5].map((scale) => levelAfter(levels, scale))).toEqual([1, 2, 0.25, 2])
    expect([0.25, 1, 2, 1.5].map((scale) => levelBeside(levels, scale, 1))).toEqual([1, 2, 2, 2])
    expect([0.25, 1, 2, 1.5].map((scale) => levelBeside(levels, scale, -1))).toEqual([0.25, 0.25, 1, 1])
  })
})

describe('FEED-20 zooming and moving', () => {
  const levels = zoomLevels(LARGE, 1)

  test('the point of the picture under the pointer stays there', () => {
    const point = { x: 300, y: -200 }
    const view = zoomedAt(LARGE, fittedView(LARGE), point, 1, levels)
    // 300 px at a quarter of the size are 1,200 px of the picture.
    expect(view).toEqual({ scale: 1, x: 300 - 1_200, y: -200 + 800 })
    const back = zoomedAt(LARGE, view, point, 0.25, levels)
    expect(back).toEqual({ scale: 0.25, x: 0, y: 0 })
  })

  test('stays within the levels', () => {
    const middle = { x: 0, y: 0 }
    expect(zoomedAt(LARGE, fittedView(LARGE), middle, 9, levels).scale).toBe(2)
    expect(zoomedAt(LARGE, fittedView(LARGE), middle, 0.01, levels).scale).toBe(0.25)
  })

  test('the photo moves as far as there is something to see', () => {
    const view = { scale: 1, x: 0, y: 0 }
    expect(movedBy(LARGE, view, { x: 100, y: -50 })).toEqual({ scale: 1, x: 100, y: -50 })
    expect(movedBy(LARGE, view, { x: 9_000, y: -9_000 })).toEqual({ scale: 1, x: 1_500, y: -1_100 })
    // A panorama that is larger in one direction.
    const panorama: Frame = { photo: { width: 9_000, height: 600 }, stage: STAGE }
    expect(overflow(panorama, view)).toEqual({ x: true, y: false })
    expect(movedBy(panorama, view, { x: -70, y: 70 })).toEqual({ scale: 1, x: -70, y: 0 })
    expect(overflow(panorama, fittedView(panorama))).toEqual({ x: false, y: false })
  })

  test('no empty space appears at an edge beyond which the photo goes on', () => {
    const numbers = fc.integer({ min: -5_000, max: 5_000 })
    fc.assert(
      fc.property(
        frames,
        numbers,
        numbers,
        fc.double({ min: 0.01, max: 8, noNaN: true }),
        (frame, x, y, scale) => {
          const scales = zoomLevels(frame, 1)
          const view = movedBy(frame, zoomedAt(frame, fittedView(frame), { x, y }, scale, scales), {
            x: y,
            y: x,
          })
          const [width, height] = [frame.photo.width * view.scale, frame.photo.height * view.scale]
          expect(Math.abs(view.x)).toBeLessThanOrEqual(Math.max(0, (width - frame.stage.width) / 2) + 1e-6)
          expect(Math.abs(view.y)).toBeLessThanOrEqual(Math.max(0, (height - frame.stage.height) / 2) + 1e-6)
        },
      ),
    )
  })

  test('the wheel zooms in upwards; a notch counts like a turn of lines, the pinch of a touchpad more for each pixel', () => {
    const turn = (deltaY: number, ctrlKey = false, deltaMode = 0) =>
      wheelFactor({ deltaY, deltaMode, ctrlKey })
    expect(turn(-100)).toBeGreaterThan(1.2)
    expect(turn(100) * turn(-100)).toBeCloseTo(1)
    expect(turn(-4, false, 1)).toBeCloseTo(turn(-100))
    expect(turn(-5, true)).toBeGreaterThan(turn(-5))
  })
})
