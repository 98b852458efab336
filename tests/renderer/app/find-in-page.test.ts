import { describe, expect, test, vi } from 'vitest'
import { findKey, searchPage, stopSearch } from '#/renderer/app/find-in-page'
import { logFailure } from '#/renderer/lib/core/logger'
import { refusingDesktop } from '../refusing-desktop'

/** A page in which the find bar's field is the first of so many matches, searched as Chromium does. */
function openPage(matches: number) {
  let active = 0
  const calls: boolean[] = []
  const find = async (_text: string, { isForward, isNew }: { isForward: boolean; isNew: boolean }) => {
    calls.push(isNew)
    if (matches === 0) return { active: 0, matches }
    const next = active === 0 ? 1 : isNew ? active : isForward ? active + 1 : active - 1
    active = next > matches ? 1 : next === 0 ? matches : next
    return { active, matches }
  }
  const search = (isForward: boolean, isNew = false) => searchPage(find, 'light', { isForward, isNew })
  return { search, calls }
}

describe('DESK-12 a search in the page leaves out the field of the find bar', () => {
  test('it begins after the field, and passes it at both ends', async () => {
    const { search, calls } = openPage(4)
    expect(await search(true, true)).toEqual({ active: 1, matches: 3 })
    expect(await search(true)).toEqual({ active: 2, matches: 3 })
    expect(await search(true)).toEqual({ active: 3, matches: 3 })
    expect(await search(true)).toEqual({ active: 1, matches: 3 })
    expect(await search(false)).toEqual({ active: 3, matches: 3 })
    // Only the first call of a search is new: the second would find the field again.
    expect(calls).toEqual([true, false, false, false, false, false, false, false])
  })

  test('a changed text stays at the match that still fits', async () => {
    const { search } = openPage(4)
    await search(true, true)
    await search(true)
    expect(await search(true, true)).toEqual({ active: 2, matches: 3 })
  })

  test('nothing is found if only the field has the text, or not even that', async () => {
    expect(await openPage(1).search(true, true)).toEqual({ active: 0, matches: 0 })
    expect(await openPage(0).search(true, true)).toEqual({ active: 0, matches: 0 })
  })

  test('it has no result when another search came first', async () => {
    expect(await searchPage(async () => null, 'l', { isForward: true, isNew: true })).toBeNull()
  })
})

test('DESK-12 errors of the host about a search are only logged', async () => {
  const { find } = refusingDesktop
  expect(await searchPage(find.search, 'light', { isForward: true, isNew: true })).toBe('failed')
  stopSearch(find, 'keepSelection')
  await vi.waitFor(() => expect(vi.mocked(logFailure)).toHaveBeenCalledTimes(2))
  expect(vi.mocked(logFailure).mock.calls.map(([what]) => what)).toEqual(['find in page', 'stop finding'])
})

test('DESK-12 F3, and Ctrl or Cmd and G go to the next match, with Shift to the previous one', () => {
  const press = (key: string, held: object = {}, isMac = false) =>
    findKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }, isMac)
  expect(press('F3')).toBe('next')
  expect(press('F3', { shiftKey: true })).toBe('previous')
  expect(press('g', { ctrlKey: true })).toBe('next')
  expect(press('G', { ctrlKey: true, shiftKey: true })).toBe('previous')
  expect(press('g', { metaKey: true }, true)).toBe('next')
  expect(press('G', { metaKey: true, shiftKey: true }, true)).toBe('previous')
  for (const other of [
    press('g'),
    press('g', { metaKey: true }),
    press('g', { ctrlKey: true }, true),
    press('g', { ctrlKey: true, altKey: true }),
    press('F3', { ctrlKey: true }),
    press('f', { ctrlKey: true }),
  ]) {
    expect(other).toBeNull()
  }
})
