import { beforeEach, expect, test, vi } from 'vitest'
import { recentEmojis, rememberEmoji, rememberSkinTone, skinTone } from '#/renderer/lib/content/recent-emojis'
import { logFailure } from '#/renderer/lib/core/logger'
import { stubLocalStorage } from '#tests/renderer/local-storage'

beforeEach(() => {
  stubLocalStorage()
})

test('MSG-14 remembers the last sixteen emojis of each member, latest first and each once', () => {
  const characters = [...'😀😃😄😁😆😅🤣😂🙂🙃🫠😉😊😇🥰😍🤩']
  for (const character of characters) rememberEmoji('ana', character)
  expect(recentEmojis('ana')).toEqual(characters.slice(1).reverse())
  rememberEmoji('ana', '😍')
  expect(recentEmojis('ana').slice(0, 3)).toEqual(['😍', '🤩', '🥰'])
  expect(recentEmojis('ana')).toHaveLength(16)
  expect(recentEmojis('ben')).toEqual([])
})

test('MSG-14 remembers the skin tone of each member', () => {
  expect(skinTone('ana')).toBe('none')
  rememberSkinTone('ana', 'mediumDark')
  expect(skinTone('ana')).toBe('mediumDark')
  expect(skinTone('ben')).toBe('none')
  localStorage.setItem(localStorage.key(0) ?? '', 'green')
  expect(skinTone('ana')).toBe('none')
})

test('MSG-14 ignores what it cannot read, and only logs a full storage', () => {
  rememberEmoji('ana', '😀')
  const key = localStorage.key(0) ?? ''
  for (const damaged of ['{', '"😀"', '[1, null]']) {
    localStorage.setItem(key, damaged)
    expect(recentEmojis('ana')).toEqual([])
  }
  const cause = new Error('full')
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw cause
  })
  rememberEmoji('ana', '😃')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['remember emoji', cause]])
})
