import { describe, expect, test } from 'vitest'
import { canPost, cellText, tableSizes, wordColumns } from '#/renderer/features/post/model'
import { TEXT_LIMITS } from '#/shared/limits'

const WORDS = { content: 'Six rolls', location: 'Porto', altText: 'A ridge in haze' }

describe('CREATE-02 PROF-13 the texts of a post', () => {
  test('are stored trimmed, blank ones as null', () => {
    expect(wordColumns({ content: ' Six\nrolls ', location: ' ', altText: ' A ridge ' }, true)).toEqual({
      content: 'Six\nrolls',
      location: null,
      alt_text: 'A ridge',
    })
  })

  test('PROF-14 contain an alt text only with a picture', () => {
    expect(wordColumns(WORDS, true).alt_text).toBe('A ridge in haze')
    expect(wordColumns(WORDS, false).alt_text).toBeNull()
  })

  test('cannot be shared without a text or a picture', () => {
    expect(canPost({ content: ' \n ', location: 'Porto', altText: '' }, false)).toBe(false)
    expect(canPost({ content: ' \n ', location: '', altText: '' }, true)).toBe(true)
    expect(canPost(WORDS, false)).toBe(true)
  })

  test('of invisible characters alone are blank', () => {
    const blank = '\u2800\u3164\u200b\u00a0'
    expect(canPost({ content: blank, location: 'Porto', altText: '' }, false)).toBe(false)
    expect(wordColumns({ content: blank, location: blank, altText: blank }, true)).toEqual({
      content: '',
      location: null,
      alt_text: null,
    })
  })

  test('may be as long as their limits, in characters as members count them', () => {
    const limits = { content: TEXT_LIMITS.post, location: TEXT_LIMITS.location, altText: TEXT_LIMITS.altText }
    for (const [field, limit] of Object.entries(limits)) {
      expect(canPost({ ...WORDS, [field]: ` ${'📷'.repeat(limit)} ` }, true), field).toBe(true)
      expect(canPost({ ...WORDS, [field]: '📷'.repeat(limit + 1) }, true), field).toBe(false)
    }
  })
})

test('MEDIA-08 a photo on the light table is loaded as large as the window allows, at most twice its own size', () => {
  expect(tableSizes({ width: 1_500, height: 1_000 })).toBe('min(100vw, 1.5 * 100vh, 3000px)')
  expect(tableSizes({ width: null, height: null })).toBe('min(100vw, 1 * 100vh)')
})

test('FEED-21 the text of a cell ends with a whole word', () => {
  expect(cellText('Six rolls')).toBe('Six rolls')
  expect(cellText(`${'x'.repeat(115)} harbours`)).toBe(`${'x'.repeat(115)}…`)
  expect(cellText(`${'x'.repeat(114)} boats today`)).toBe(`${'x'.repeat(114)} boats…`)
  expect(cellText('夜'.repeat(121))).toBe(`${'夜'.repeat(120)}…`)
})
