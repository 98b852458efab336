import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeDirections, isolate } from '#/shared/bidi'

/** The number of isolations that are open at the end; -1 once a character closes one that the text has not opened. */
function openAtEnd(text: string): number {
  let open = 0
  for (const character of text) {
    if (/[\u2066-\u2068]/.test(character)) open += 1
    if (character === '\u2069') open -= 1
    if (open < 0) return -1
  }
  return open
}

describe('ACC-04 names in sentences', () => {
  test.each(['ada', 'Zoë Müller', '東京', 'привет', 'fog 🌫️', 'family 👨‍👩‍👧', ''])(
    '%j stays as it is',
    (text) => {
      expect(isolate(text)).toBe(text)
    },
  )

  test.each([
    ['שלום', '\u2068שלום\u2069'],
    ['ada \u202egpj.exe', '\u2068ada \u202egpj.exe\u2069'],
    // Would end the isolation around it.
    ['ada\u2069\u202e', '\u2068ada\u202e\u2069'],
    ['ada\u2067', '\u2068ada\u2067\u2069\u2069'],
    ['ada\n\u202eben', '\u2068ada \u202eben\u2069'],
  ])('%j is isolated', (text, isolated) => {
    expect(isolate(text)).toBe(isolated)
  })

  test('whatever a text has, nothing of it is open after its end, and no letter is lost', () => {
    const text = fc
      .array(
        fc.constantFrom('a', 'ש', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u202c', '\n', '\u2029'),
      )
      .map((characters) => characters.join(''))
    fc.assert(
      fc.property(text, (written) => {
        const closed = closeDirections(written)
        expect(openAtEnd(closed)).toBe(0)
        expect(closed).not.toMatch(/[\n\u2029]/)
        const letters = (of: string) => of.replace(/[^aש]/g, '')
        expect(letters(closed)).toBe(letters(written))
      }),
    )
  })
})
