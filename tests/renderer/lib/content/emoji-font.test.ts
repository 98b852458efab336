import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EMOJI_FAMILY, EMOJI_PARTS } from '#/renderer/lib/content/emoji-font'
import { EMOJI_GROUPS } from '#/renderer/lib/content/emojis'

/** The code points of CSS's `unicode-range`. */
function* codePointsOf(unicodeRange: string): Generator<number> {
  for (const range of unicodeRange.split(',')) {
    const [from = '', to = from] = range.replace(/^U\+/i, '').split('-')
    for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code += 1) yield code
  }
}

test('MSG-14 the app has a font for every emoji of the picker, behind those of the system', () => {
  expect(EMOJI_PARTS.map(({ url }) => url).filter((url) => !url.endsWith('.woff2'))).toEqual([])
  const drawn = new Set(EMOJI_PARTS.flatMap(({ unicodeRange }) => [...codePointsOf(unicodeRange)]))
  const missing = EMOJI_GROUPS.flatMap(({ emojis }) => emojis).filter(({ character }) =>
    [...character].some((letter) => !drawn.has(letter.codePointAt(0) ?? 0)),
  )
  // Noto has no picture for U+1F46A in these parts; families of named people are there.
  expect(missing.map(({ name }) => name)).toEqual(['family'])
  const styles = readFileSync('src/renderer/app/styles.css', 'utf8')
  expect(styles).toMatch(new RegExp(`--font-emoji: .*, "${EMOJI_FAMILY}";`))
})
