import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { codePoints, exceeds, splitRichText } from '#/renderer/lib/content/rich-text'

const kinds = (text: string) => splitRichText(text).map((part) => [part.kind, part.text])

describe('mentions and links in a member’s text', () => {
  test('a plain text is one part, an empty text is no part', () => {
    expect(kinds('First light over the harbour')).toEqual([['text', 'First light over the harbour']])
    expect(splitRichText('')).toEqual([])
  })

  test('a mention has a lower-case username and keeps the typed text', () => {
    expect(splitRichText('with @Ada.Lovelace, at last')).toEqual([
      { kind: 'text', text: 'with ' },
      { kind: 'mention', text: '@Ada.Lovelace', username: 'ada.lovelace' },
      { kind: 'text', text: ', at last' },
    ])
  })

  test.each([
    [
      '@ada.',
      [
        ['mention', '@ada'],
        ['text', '.'],
      ],
    ],
    [
      '(@ada)',
      [
        ['text', '('],
        ['mention', '@ada'],
        ['text', ')'],
      ],
    ],
    [
      '@ada @bo_b',
      [
        ['mention', '@ada'],
        ['text', ' '],
        ['mention', '@bo_b'],
      ],
    ],
    // As in the database, only characters of usernames belong to a mention.
    [
      'fotó@ada',
      [
        ['text', 'fotó'],
        ['mention', '@ada'],
      ],
    ],
    [
      '@ada…',
      [
        ['mention', '@ada'],
        ['text', '…'],
      ],
    ],
  ])('%s has its mentions', (text, parts) => {
    expect(kinds(text)).toEqual(parts)
  })

  test.each([
    'mara@example.com',
    '@@ada',
    '@ab',
    '@.ada',
    `@${'a'.repeat(31)}`,
    'see /@ada',
    '@ada@example.com',
  ])('%s has no mention', (text) => {
    expect(kinds(text)).toEqual([['text', text]])
  })

  test('a link is http or https only, and excludes the punctuation after it', () => {
    expect(splitRichText('See https://example.com/a?b=c#d.')).toEqual([
      { kind: 'text', text: 'See ' },
      {
        kind: 'link',
        text: 'https://example.com/a?b=c#d',
        shown: 'https://example.com/a?b=c#d',
        url: 'https://example.com/a?b=c#d',
      },
      { kind: 'text', text: '.' },
    ])
    expect(kinds('(http://example.com)')).toEqual([
      ['text', '('],
      ['link', 'http://example.com'],
      ['text', ')'],
    ])
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://']) {
      expect(kinds(text)).toEqual([['text', text]])
    }
  })

  test('a link ends before markup', () => {
    expect(kinds('https://example.com/"><script>')).toEqual([
      ['link', 'https://example.com/'],
      ['text', '"><script>'],
    ])
  })

  const tokens = ['@ada', '@', '.', ' ', 'https://', 'example.com', '<b>', '\n', '🎞', 'é', ')', 'mara@']
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom(...tokens)).map((parts) => parts.join('')),
  )

  test('the joined parts equal the text, and no part is empty', () => {
    fc.assert(
      fc.property(text, (written) => {
        const parts = splitRichText(written)
        expect(parts.map((part) => part.text).join('')).toBe(written)
        expect(parts.every((part) => part.text !== '')).toBe(true)
      }),
    )
  })

  test('every link is a valid web address and every mention a possible username', () => {
    fc.assert(
      fc.property(text, (written) => {
        for (const part of splitRichText(written)) {
          if (part.kind === 'link') expect(part.url).toMatch(/^https?:\/\/[^\s<>"']+$/)
          if (part.kind === 'mention') expect(part.username).toMatch(/^[a-z0-9_][a-z0-9._]{1,28}[a-z0-9_]$/)
        }
      }),
    )
  })
})

test('the length of a text is counted in code points, as in the database', () => {
  expect(codePoints('')).toBe(0)
  expect(codePoints('née')).toBe(3)
  expect(codePoints('🎞🎞')).toBe(2)
})

test('the limit applies to the trimmed text in code points', () => {
  expect(exceeds('🎞🎞', 2)).toBe(false)
  expect(exceeds(' 🎞🎞 \n', 2)).toBe(false)
  expect(exceeds('🎞🎞!', 2)).toBe(true)
})

test('MSG-03 links behind the last that is drawn are text, and are not read', () => {
  const parsed = vi.spyOn(URL, 'canParse')
  onTestFinished(() => parsed.mockRestore())
  const text = 'http://a.b/('.repeat(333)
  const parts = splitRichText(text)
  expect(parts.filter(({ kind }) => kind === 'link')).toHaveLength(100)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.at(-1)?.kind).toBe('text')
  expect(parsed.mock.calls.length).toBeLessThanOrEqual(202)
})

test('MSG-03 what is no address counts as a link, and its path is not read', () => {
  const parsed = vi.spyOn(URL, 'canParse')
  onTestFinished(() => parsed.mockRestore())
  const text = `${'http://a.1/'.repeat(230)}${'𐀀'.repeat(1_470)} http://example.com`
  expect(splitRichText(text)).toEqual([{ kind: 'text', text }])
  expect(parsed.mock.calls.length).toBeLessThanOrEqual(101)
  expect(Math.max(...parsed.mock.calls.map(([address]) => String(address).length))).toBeLessThan(20)
})

test('MSG-03 the path within which many links stand is read once', () => {
  const exec = vi.spyOn(RegExp.prototype, 'exec')
  onTestFinished(() => exec.mockRestore())
  const text = `${'http://a.b/('.repeat(99)}${'𐀀'.repeat(1_470)} http://a.b/c`
  expect(splitRichText(text).filter(({ kind }) => kind === 'link')).toHaveLength(100)
  const readings = (exec.mock.contexts as RegExp[]).filter(({ source }) => source.endsWith('%|^{}])*'))
  expect(readings).toHaveLength(2)
})
