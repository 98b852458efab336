import { rgbaToThumbHash, thumbHashToDataURL } from 'thumbhash'
import { describe, expect, test, vi } from 'vitest'
import { placeholderOf } from '#/renderer/lib/media-store'

vi.mock('thumbhash', async (load) => {
  const thumbhash = await load<typeof import('thumbhash')>()
  return { ...thumbhash, thumbHashToDataURL: vi.fn(thumbhash.thumbHashToDataURL) }
})

const PIXELS = new Uint8Array(4 * 4 * 5).fill(200)
const HASH = btoa(String.fromCharCode(...rgbaToThumbHash(4, 5, PIXELS)))

function svgOf(url: string | null): string {
  return atob(url?.replace('data:image/svg+xml;base64,', '') ?? '')
}

describe('MEDIA-02 the placeholder of a picture', () => {
  test('is the ThumbHash, stretched to the exact aspect ratio of the picture', () => {
    const blurred = placeholderOf(HASH)
    expect(blurred).toMatch(/^data:image\/png;base64,/)
    expect(svgOf(placeholderOf(HASH, { width: 864, height: 1_080 }))).toBe(
      `<svg xmlns="http://www.w3.org/2000/svg" width="864" height="1080"><image href="${blurred}" width="864" height="1080" preserveAspectRatio="none"/></svg>`,
    )
  })

  test('is decoded once while it is in use, and again later', () => {
    const hashOf = (shade: number) =>
      btoa(String.fromCharCode(...rgbaToThumbHash(4, 5, new Uint8Array(80).fill(shade))))
    const decode = vi.mocked(thumbHashToDataURL)
    const first = placeholderOf(hashOf(0))
    decode.mockClear()
    expect(placeholderOf(hashOf(0))).toBe(first)
    expect(decode).not.toHaveBeenCalled()
    for (let shade = 1; shade < 256; shade += 1) placeholderOf(hashOf(shade))
    decode.mockClear()
    expect(placeholderOf(hashOf(0))).toBe(first)
    expect(decode).toHaveBeenCalledOnce()
  })

  test.each([null, 'not base64!'])('is null for the ThumbHash %j', (hash) => {
    expect(placeholderOf(hash, { width: 1, height: 1 })).toBeNull()
  })
})
