import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CENTRED,
  type CropAction,
  type CropView,
  cropOf,
  cropOffset,
  cropReducer,
  drawnAt,
  ZOOM,
} from '#/renderer/features/profile/crop-view'

const LANDSCAPE = { width: 600, height: 400 }
const PORTRAIT = { width: 300, height: 900 }

const viewAfter = (actions: CropAction[], picture = LANDSCAPE): CropView =>
  actions.reduce((view, action) => cropReducer(view, action, picture), CENTRED)

describe('EDIT-02 the square frame', () => {
  test('starts centred, with the whole shorter side visible', () => {
    expect(cropOf(CENTRED, LANDSCAPE)).toEqual({ left: expect.closeTo(1 / 6), top: 0, side: 1 })
    expect(cropOf(CENTRED, PORTRAIT)).toEqual({ left: 0, top: expect.closeTo(1 / 3), side: 1 })
    expect(cropOffset(CENTRED, LANDSCAPE)).toEqual({ sideways: 0.5, upright: 0.5 })
  })

  test('dragging the picture right reveals its left part, up to its edge', () => {
    const dragged = viewAfter([{ type: 'moved', right: 0.1, down: 0 }])
    expect(cropOf(dragged, LANDSCAPE).left).toBeCloseTo(1 / 6 - 0.1 / 1.5)
    const far = viewAfter([{ type: 'moved', right: 9, down: 9 }])
    expect(cropOf(far, LANDSCAPE)).toEqual({ left: expect.closeTo(0), top: expect.closeTo(0), side: 1 })
    expect(cropOffset(far, LANDSCAPE).sideways).toBe(0)
  })

  test('zooming keeps the centre and is limited', () => {
    const near = viewAfter([{ type: 'zoomed', factor: 2 }])
    expect(cropOf(near, LANDSCAPE)).toEqual({
      left: expect.closeTo(1 / 3),
      top: expect.closeTo(0.25),
      side: 0.5,
    })
    expect(viewAfter([{ type: 'zoomed-to', zoom: 99 }]).zoom).toBe(ZOOM.max)
    expect(viewAfter([{ type: 'zoomed', factor: 0.01 }]).zoom).toBe(ZOOM.min)
  })

  test('a drag moves less when zoomed in, and zooming out keeps the frame on the picture', () => {
    const corner = viewAfter([
      { type: 'zoomed-to', zoom: 2 },
      { type: 'moved', right: 0, down: -0.2 },
    ])
    expect(cropOf(corner, LANDSCAPE).top).toBeCloseTo(0.25 + 0.1)
    expect(cropOf(cropReducer(corner, { type: 'zoomed-to', zoom: 1 }, LANDSCAPE), LANDSCAPE).top).toBeCloseTo(
      0,
    )
  })

  test('placing sets one axis and keeps the other', () => {
    const placed = viewAfter([
      { type: 'zoomed-to', zoom: 2 },
      { type: 'placed', sideways: 1 },
      { type: 'placed', upright: 0 },
    ])
    expect(cropOffset(placed, LANDSCAPE)).toEqual({ sideways: 1, upright: 0 })
    expect(cropOf(placed, LANDSCAPE)).toEqual({
      left: expect.closeTo(1 - 0.5 / 1.5),
      top: expect.closeTo(0),
      side: 0.5,
    })
  })

  test('the picture always covers the frame, and the crop is the visible part', () => {
    const number = fc.double({ min: -5, max: 5, noNaN: true })
    const action: fc.Arbitrary<CropAction> = fc.oneof(
      fc.record({ type: fc.constant('moved' as const), right: number, down: number }),
      fc.record({
        type: fc.constant('zoomed' as const),
        factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
      }),
      fc.record({ type: fc.constant('placed' as const), sideways: number, upright: number }),
    )
    const length = fc.integer({ min: 1, max: 8000 })
    fc.assert(
      fc.property(fc.array(action), length, length, (actions, width, height) => {
        const picture = { width, height }
        const view = viewAfter(actions, picture)
        const drawn = drawnAt(view, picture)
        const slack = 1e-6
        expect(drawn.left).toBeLessThanOrEqual(slack)
        expect(drawn.top).toBeLessThanOrEqual(slack)
        expect(drawn.left + drawn.width).toBeGreaterThanOrEqual(1 - slack)
        expect(drawn.top + drawn.height).toBeGreaterThanOrEqual(1 - slack)
        const { left, top } = cropOf(view, picture)
        expect(left).toBeCloseTo(-drawn.left / drawn.width, 5)
        expect(top).toBeCloseTo(-drawn.top / drawn.height, 5)
      }),
    )
  })
})
