import { rgbaToThumbHash } from 'thumbhash'
import { describe, expect, test } from 'vitest'
import { placeholderOf } from '#/renderer/lib/media-store'

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

  test.each([null, 'not base64!'])('is null for the ThumbHash %j', (hash) => {
    expect(placeholderOf(hash, { width: 1, height: 1 })).toBeNull()
  })
})
