import { expect, test, vi } from 'vitest'
import { formatCount, shortCount, texts } from '#/renderer/lib/texts'

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [12_400, '12.4K'],
  [20_000, '20K'],
  [3_140_000, '3.1M'],
])('FEED-04 PROF-02 a count of %i is shown as %s', (n, shown) => {
  expect(shortCount(n)).toBe(shown)
})

test('FEED-04 small counts are formatted without Intl, whose first use delays the first screen', () => {
  const create = vi.spyOn(Intl, 'NumberFormat').mockImplementation(() => {
    throw new Error('Intl is used')
  })
  expect([formatCount(0), shortCount(999), texts.post.likes(1), texts.post.likes(2)]).toEqual([
    '0',
    '999',
    '1 like',
    '2 likes',
  ])
  create.mockRestore()
  expect(formatCount(1_024)).toBe('1,024')
})
