import { expect, test } from 'vitest'
import { measureBundles } from '../../scripts/lib/budgets.mjs'

test('the first load and the main bundle stay within their budgets', () => {
  expect(measureBundles().filter(({ ok }) => !ok)).toEqual([])
})
