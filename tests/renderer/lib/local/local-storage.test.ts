import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { readItem, storedKeys, storeItem } from '#/renderer/lib/local/local-storage'
import { useNotKept } from '#/renderer/lib/local/not-kept-store'
import { sourcesIn } from '#tests/renderer/lib/texts/sources'
import { stubLocalStorage } from '#tests/renderer/local-storage'

let disk: Map<string, string>

beforeEach(() => {
  disk = stubLocalStorage().disk
  useNotKept.setState({ isReported: false })
  vi.mocked(logFailure).mockClear()
})

test('MSG-12 what a full localStorage does not take stays in memory, and the member is informed once', () => {
  storeItem('draft.a', 'H')
  const full = new DOMException('full', 'QuotaExceededError')
  const setItem = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw full
  })
  for (const text of ['He', 'Hel', 'Hello']) storeItem('draft.a', text, 'store draft')
  storeItem('draft.b', 'Hi')
  expect([readItem('draft.a'), readItem('draft.b'), readItem('draft.c')]).toEqual(['Hello', 'Hi', null])
  expect(storedKeys('draft.')).toEqual(['draft.a', 'draft.b'])
  expect(useNotKept.getState().isReported).toBe(true)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['store draft', full]])

  storeItem('draft.b', null)
  expect([readItem('draft.b'), ...storedKeys('draft.')]).toEqual([null, 'draft.a'])
  setItem.mockRestore()
  storeItem('draft.a', 'Hello!')
  expect([readItem('draft.a'), disk.get('draft.a')]).toEqual(['Hello!', 'Hello!'])
  storeItem('draft.a', null)
  expect(storedKeys('')).toEqual([])
})

test('MSG-12 a browser without localStorage keeps items in memory', () => {
  vi.stubGlobal('localStorage', undefined)
  storeItem('a', '1')
  expect([readItem('a'), readItem('b'), storedKeys('')]).toEqual(['1', null, ['a']])
  storeItem('a', null)
  expect([readItem('a'), storedKeys('')]).toEqual([null, []])
  expect(useNotKept.getState().isReported).toBe(true)
})

test('no other file uses localStorage, which throws when it is full', () => {
  const users = sourcesIn('src/renderer').filter(
    (source) =>
      source.code.includes('localStorage') && JSON.stringify(source.program).includes('"localStorage"'),
  )
  expect(users.map(({ path }) => path)).toEqual(['src/renderer/lib/local/local-storage.ts'])
})
