import { describe, expect, test } from 'vitest'
import { fileRefusal, nameOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'

describe('CREATE-05 a refusal names the file', () => {
  test('isolated, so that its direction does not change the sentence', () => {
    expect(fileRefusal('notes.txt', 'broken')).toBe(`notes.txt: ${texts.media.broken}`)
    expect(fileRefusal('holiday\u202egpj.exe', 'broken')).toBe(
      `\u2068holiday\u202egpj.exe\u2069: ${texts.media.broken}`,
    )
  })

  test('cut in the middle, so that its start and its extension are seen', () => {
    const name = `${'holiday'.repeat(30)}.heic`
    const shown = fileRefusal(name, 'broken').slice(0, -`: ${texts.media.broken}`.length)
    expect(shown).toBe('holidayholidayholidayhol…dayholiday.heic')
    expect(Array.from(fileRefusal('😀'.repeat(200), 'broken'))).toHaveLength(
      40 + Array.from(`: ${texts.media.broken}`).length,
    )
  })

  test('unless it has no name', () => {
    expect(fileRefusal(null, 'empty')).toBe(texts.media.empty)
    expect(nameOf(new Blob([]))).toBeNull()
    expect(nameOf(new File([], ''))).toBeNull()
    expect(nameOf(new File([], 'a.jpg'))).toBe('a.jpg')
  })
})
