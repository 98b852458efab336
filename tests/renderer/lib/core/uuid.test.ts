import { expect, test } from 'vitest'
import { isUuid } from '#/renderer/lib/core/uuid'

const ID = '5f0f3c1e-6a52-4f0e-9d5a-0c8f5a1b2c3d'

test('only UUIDs count as ids', () => {
  expect(isUuid(ID)).toBe(true)
  for (const text of ['', 'new', `${ID},${ID}`, ` ${ID}`, `${ID})`]) expect(isUuid(text), text).toBe(false)
})
