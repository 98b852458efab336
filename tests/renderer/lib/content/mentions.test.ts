import { describe, expect, test } from 'vitest'
import { typedMention } from '#/renderer/lib/content/mentions'

/** The mention at the caret, which the text marks with '|'. */
function typed(marked: string) {
  return typedMention(marked.replace('|', ''), marked.indexOf('|'))
}

describe('NOTE-05 the mention that is being typed', () => {
  test.each([
    ['@a|', { start: 0, name: 'a' }],
    ['with @Ada.L|', { start: 5, name: 'Ada.L' }],
    ['with @ad| and others', { start: 5, name: 'ad' }],
    ['你好@ada|', { start: 2, name: 'ada' }],
    ['@ada @be|', { start: 5, name: 'be' }],
    ['@Zoe\u0308|', { start: 0, name: 'Zoe\u0308' }],
    ['с @Алён|', { start: 2, name: 'Алён' }],
    ['@محمد|', { start: 0, name: 'محمد' }],
    ['@दिल्ली|', { start: 0, name: 'दिल्ली' }],
    ['@می\u200cخوا|', { start: 0, name: 'می\u200cخوا' }],
    ['やあ@たなか|', { start: 2, name: 'たなか' }],
    ['＠김|', { start: 0, name: '김' }],
    ['@𐐀𐐁|', { start: 0, name: '𐐀𐐁' }],
  ])('%s', (marked, expected) => {
    expect(typed(marked)).toEqual(expected)
  })

  test.each([
    '|',
    '@|',
    'ada|',
    '@ada |',
    '@a|da',
    '@Ал|ена',
    '@김|민수',
    '@，|',
    '@🌊|',
    '＠＠ada|',
    `@${'ж'.repeat(31)}|`,
    'ada@example|',
    'https://example.com/@ada|',
    '@@ada|',
    '|@ada',
  ])('is none in %s', (marked) => {
    expect(typed(marked)).toBeNull()
  })
})
