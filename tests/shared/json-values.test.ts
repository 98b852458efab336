import { expect, test } from 'vitest'
import { countValues, hasMoreValues } from '#/shared/json-values'

test.each<[values: number, json: string]>([
  [0, ''],
  [0, '1'],
  [1, '{"a":1}'],
  [4, '[1,{"a":[]}]'],
  [2, '["a,b[{\\",[","c\\\\"]'],
  [4, '[[[['],
  [1, '["[[[['],
])('counts %i commas and brackets outside of texts in %j', (values, json) => {
  const bytes = Buffer.from(json)
  expect(hasMoreValues(bytes, values)).toBe(false)
  if (values > 0) expect(hasMoreValues(bytes, values - 1)).toBe(true)
})

test('counts a text in any parts', () => {
  const bytes = Buffer.from('["a\\",[",{"b":"\\\\"},[]]')
  for (let most = 0; most < 8; most += 1) {
    const hasMore = countValues(most)
    const last = [...bytes].map((byte) => hasMore(Uint8Array.of(byte))).at(-1)
    expect([most, last]).toEqual([most, hasMoreValues(bytes, most)])
  }
})
