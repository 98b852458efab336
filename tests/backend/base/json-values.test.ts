import { expect, test } from 'vitest'
import { hasMoreValues } from '#/backend/base/json-values'

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
