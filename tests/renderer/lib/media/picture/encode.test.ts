import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Encoder, MAX_ENCODINGS, searchQuality } from '#/renderer/lib/media/picture/encode'

const RANGE = { min: 0.5, max: 0.9 }

/** An encoder whose sizes grow with quality as real ones do, and the qualities it was called with. */
function encoder(bytesAtMin: number, growth = 3): { encode: Encoder; tried: number[] } {
  const tried: number[] = []
  return {
    tried,
    encode: async (quality) => {
      tried.push(quality)
      const fraction = (quality - RANGE.min) / (RANGE.max - RANGE.min)
      return new Blob([new Uint8Array(Math.round(bytesAtMin * growth ** fraction))])
    },
  }
}

describe('CREATE-03 encoding to a target size', () => {
  test('encodes once if the best quality fits', async () => {
    const { encode, tried } = encoder(50_000)
    expect((await searchQuality(encode, 300_000, RANGE))?.size).toBe(150_000)
    expect(tried).toEqual([0.9])
  })

  test('returns null if even the lowest quality is too large', async () => {
    expect(await searchQuality(encoder(300_001).encode, 300_000, RANGE)).toBeNull()
  })

  test('otherwise gets close to the target from below within the maximum number of encodings', async () => {
    const sizes = fc.integer({ min: 110_000, max: 299_000 })
    // Sizes of noise grow slowly with quality, those of drawings quickly.
    const growths = fc.double({ min: 3, max: 12, noNaN: true })
    await fc.assert(
      fc.asyncProperty(sizes, growths, async (smallest, growth) => {
        const { encode, tried } = encoder(smallest, growth)
        const blob = await searchQuality(encode, 300_000, RANGE)
        expect(blob?.size).toBeLessThanOrEqual(300_000)
        expect(blob?.size).toBeGreaterThan(250_000)
        expect(tried.length).toBeLessThanOrEqual(MAX_ENCODINGS)
      }),
      { numRuns: 200 },
    )
  })
})
