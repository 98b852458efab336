import { afterEach, expect, test, vi } from 'vitest'
import { isUuid, newId } from '#/renderer/lib/core/uuid'

const ID = '5f0f3c1e-6a52-4f0e-9d5a-0c8f5a1b2c3d'

test('only UUIDs count as ids', () => {
  expect(isUuid(ID)).toBe(true)
  for (const text of ['', 'new', `${ID},${ID}`, ` ${ID}`, `${ID})`]) expect(isUuid(text), text).toBe(false)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a new id is the example of RFC 9562 (appendix A.6) at its time and with its random bits', () => {
  vi.useFakeTimers({ now: Date.parse('2022-02-22T14:22:22-05:00') })
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('5f0f3c1e-6a52-4cc3-98c4-dc0c0c07398f')
  expect(newId()).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  expect(isUuid(newId())).toBe(true)
})

test('new ids of one moment differ', () => {
  vi.useFakeTimers()
  expect(new Set(Array.from({ length: 100 }, newId)).size).toBe(100)
})
