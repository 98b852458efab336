import { describe, expect, test } from 'vitest'
import { fileRefusal, nameOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'

describe('CREATE-05 a refusal names the file', () => {
  const shownOf = (name: string) => fileRefusal(name, 'broken').slice(0, -`: ${texts.media.broken}`.length)

  test('isolated, so that its direction does not change the sentence', () => {
    expect(shownOf('notes.txt')).toBe('notes.txt')
    expect(shownOf('\u05ea\u05de\u05d5\u05e0\u05d4.jpg')).toBe(
      '\u2068\u05ea\u05de\u05d5\u05e0\u05d4.jpg\u2069',
    )
  })

  test.each([
    ['an override', 'holiday\u202egpj.exe'],
    ['an embedding that is not closed', 'holiday\u202bgpj.exe'],
    ['an isolation that is closed twice', 'holiday\u2067gpj\u2069\u2069.exe'],
    ['marks of direction', '\u200fholiday\u200egpj\u061c.exe'],
    ['line breaks', 'holiday\ngpj\u2028.exe\u2029'],
  ])('as it is written, without %s', (_, name) => {
    expect(shownOf(name)).toBe('holidaygpj.exe')
  })

  test('cut in the middle, so that its start and its extension are seen', () => {
    const name = `${'holiday'.repeat(30)}.heic`
    expect(shownOf(name)).toBe('holidayholidayholidayhol…dayholiday.heic')
    expect(Array.from(shownOf('😀'.repeat(200)))).toHaveLength(40)
    expect(shownOf(`\u202e${'a'.repeat(40)}`)).toBe('a'.repeat(40))
    expect(shownOf('a'.repeat(41))).toBe(`${'a'.repeat(24)}…${'a'.repeat(15)}`)
  })

  test('with the size that a video of a post may have', () => {
    expect(texts.media['video-too-large-for-post']).toContain('4 GB')
  })

  test.each([
    [174, '2 minutes and 54 seconds'],
    [61, '1 minute and 1 second'],
    [600, '10 minutes'],
    [45, '45 seconds'],
  ])('with the longest part of a video that fits: %s seconds', (seconds, words) => {
    expect(fileRefusal(null, 'video-too-large-after', seconds)).toBe(
      `At most ${words} of this video can be stored. Choose a shorter part.`,
    )
  })

  test('unless it has no name', () => {
    expect(fileRefusal(null, 'empty')).toBe(texts.media.empty)
    expect(fileRefusal('\u202e', 'empty')).toBe(texts.media.empty)
    expect(nameOf(new Blob([]))).toBeNull()
    expect(nameOf(new File([], ''))).toBeNull()
    expect(nameOf(new File([], 'a.jpg'))).toBe('a.jpg')
  })
})
