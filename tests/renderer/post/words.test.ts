import { describe, expect, test } from 'vitest'
import { canPost, wordColumns } from '#/renderer/features/post/words'
import { TEXT_LIMITS } from '#/shared/limits'

const WORDS = { content: 'Six rolls', location: 'Porto', altText: 'A ridge in haze' }

describe('CREATE-02 PROF-13 the words of a post', () => {
  test('are stored trimmed, what was left empty as null', () => {
    expect(wordColumns({ content: ' Six\nrolls ', location: ' ', altText: ' A ridge ' }, true)).toEqual({
      content: 'Six\nrolls',
      location: null,
      alt_text: 'A ridge',
    })
  })

  test('PROF-14 describe a picture only where there is one', () => {
    expect(wordColumns(WORDS, true).alt_text).toBe('A ridge in haze')
    expect(wordColumns(WORDS, false).alt_text).toBeNull()
  })

  test('need a text or a picture', () => {
    expect(canPost({ content: ' \n ', location: 'Porto', altText: '' }, false)).toBe(false)
    expect(canPost({ content: ' \n ', location: '', altText: '' }, true)).toBe(true)
    expect(canPost(WORDS, false)).toBe(true)
  })

  test('fit up to their limits, in characters as members count them', () => {
    const limits = { content: TEXT_LIMITS.post, location: TEXT_LIMITS.location, altText: TEXT_LIMITS.altText }
    for (const [field, limit] of Object.entries(limits)) {
      expect(canPost({ ...WORDS, [field]: ` ${'📷'.repeat(limit)} ` }, true), field).toBe(true)
      expect(canPost({ ...WORDS, [field]: '📷'.repeat(limit + 1) }, true), field).toBe(false)
    }
  })
})
