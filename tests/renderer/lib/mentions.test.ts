import { describe, expect, test } from 'vitest'
import { typedMention } from '#/renderer/lib/mentions'

/** The mention at the caret, which the text marks with '|'. */
function typed(marked: string) {
  return typedMention(marked.replace('|', ''), marked.indexOf('|'))
}

describe('NOTE-05 the mention that is being typed', () => {
  test.each([
    ['@a|', { start: 0, name: 'a' }],
    ['with @Ada.L|', { start: 5, name: 'ada.l' }],
    ['with @ad| and others', { start: 5, name: 'ad' }],
    ['你好@ada|', { start: 2, name: 'ada' }],
    ['@ada @be|', { start: 5, name: 'be' }],
  ])('%s', (marked, expected) => {
    expect(typed(marked)).toEqual(expected)
  })

  test.each([
    '|',
    '@|',
    'ada|',
    '@ada |',
    '@a|da',
    'ada@example|',
    'https://example.com/@ada|',
    '@@ada|',
    '|@ada',
  ])('is none in %s', (marked) => {
    expect(typed(marked)).toBeNull()
  })
})
