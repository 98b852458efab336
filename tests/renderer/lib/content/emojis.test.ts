import { describe, expect, test } from 'vitest'
import {
  EMOJI_GROUPS,
  moveInGrid,
  SKIN_TONES,
  searchEmojis,
  toEmojis,
  withTone,
} from '#/renderer/lib/content/emojis'
import { texts } from '#/renderer/lib/texts'

/** The flag for properties of strings. Not in a literal, which the compiler's target does not know. */
const SET_NOTATION = 'v'

const found = (query: string) => searchEmojis(query).map(({ character }) => character)

describe('MSG-14 the emojis of the picker', () => {
  test('are in nine groups with names, and none is newer than systems in use can draw', () => {
    expect(EMOJI_GROUPS.map(({ id }) => id)).toEqual(Object.keys(texts.emoji.groups))
    const emojis = EMOJI_GROUPS.flatMap((group) => group.emojis)
    expect(emojis.length).toBeGreaterThan(1_500)
    expect(emojis.every(({ name }) => name !== '')).toBe(true)
    // From Unicode 16.
    expect(emojis.map(({ character }) => character)).not.toContain('🫩')
  })

  test('are found by name first, then by meaning, with every word of the query', () => {
    expect(found('camera')[0]).toBe('📷')
    expect(found('Red  heart ')[0]).toBe('❤️')
    expect(found('happy')).toContain('😀')
    expect(found('heart blue')).toContain('💙')
    expect(found('heart blue')).not.toContain('❤️')
    // Inside of a word does not count: "earth" is no "art".
    expect(found('art')).not.toContain('🌍')
    expect(found('nothing like this')).toEqual([])
  })

  test('take every skin tone as Unicode recommends it, if they can have one', () => {
    const recommended = new RegExp('^\\p{RGI_Emoji}$', SET_NOTATION)
    const toned = EMOJI_GROUPS.flatMap((group) => group.emojis).filter(({ hasTones }) => hasTones)
    expect(toned.length).toBeGreaterThan(280)
    for (const tone of SKIN_TONES) {
      const characters = toned.map((emoji) => withTone(emoji, tone))
      expect(characters.filter((each) => !recommended.test(each))).toEqual([])
    }
    const [waving, detective, couple, fire] = toEmojis(['👋', '🕵️', '🧑‍🤝‍🧑', '🔥'])
    if (!waving || !detective || !couple || !fire) throw new Error('unknown emoji')
    expect(withTone(waving, 'none')).toBe('👋')
    expect(withTone(waving, 'medium')).toBe('👋🏽')
    expect(withTone(detective, 'dark')).toBe('🕵🏿')
    expect(withTone(couple, 'light')).toBe('🧑🏻‍🤝‍🧑🏻')
    expect(withTone(fire, 'dark')).toBe('🔥')
  })

  test('are restored from characters, without unknown ones', () => {
    expect(toEmojis(['👍', 'x', '🔥']).map(({ name }) => name)).toEqual(['thumbs up', 'fire'])
  })
})

describe('arrow keys among rows of three', () => {
  /** Sections of five and four emojis: rows of 3, 2, 3 and 1. */
  const move = (section: number, index: number, key: Parameters<typeof moveInGrid>[3]) => {
    const to = moveInGrid([5, 4], 3, { section, index }, key)
    return [to.section, to.index]
  }
  test.each([
    [0, 4, 'ArrowRight', [1, 0]],
    [1, 3, 'ArrowRight', [1, 3]],
    [1, 0, 'ArrowLeft', [0, 4]],
    [0, 0, 'ArrowLeft', [0, 0]],
    [0, 1, 'ArrowDown', [0, 4]],
    [0, 2, 'ArrowDown', [0, 4]],
    [0, 4, 'ArrowDown', [1, 1]],
    [1, 2, 'ArrowDown', [1, 3]],
    [1, 3, 'ArrowDown', [1, 3]],
    [1, 1, 'ArrowUp', [0, 4]],
    [1, 2, 'ArrowUp', [0, 4]],
    [1, 0, 'ArrowUp', [0, 3]],
    [0, 3, 'ArrowUp', [0, 0]],
    [0, 1, 'ArrowUp', [0, 1]],
  ] as const)('from %i, %i with %s', (section, index, key, to) => {
    expect(move(section, index, key)).toEqual(to)
  })
})
