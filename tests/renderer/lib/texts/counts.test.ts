import { expect, test } from 'vitest'
import { shortCount } from '#/renderer/lib/texts'

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [12_400, '12.4K'],
  [20_000, '20K'],
  [3_140_000, '3.1M'],
])('FEED-04 PROF-02 a count of %i is shown as %s', (n, shown) => {
  expect(shortCount(n)).toBe(shown)
})
