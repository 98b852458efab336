import { act } from '@testing-library/react'
import { type NavigateOptions, useNavigate } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { useScrollRestoration } from '#/renderer/app/useScrollRestoration'
import { showHook } from '#tests/renderer/dom'

const scrollTo = vi.fn()

beforeEach(() => {
  scrollTo.mockClear()
  vi.stubGlobal('scrollTo', scrollTo)
})

/** Opens a page with these addresses one after the other, which are rendered together. */
function visit(first: string, options: NavigateOptions, ...then: string[]): void {
  const page = showHook(
    () => {
      useScrollRestoration()
      return useNavigate()
    },
    { paths: [first] },
  )
  act(() => {
    for (const address of then) void page.result.current(address, options)
  })
}

test('PROF-10 the page under a modal does not scroll when two quick steps lead back to the same post or story', () => {
  visit('/profile/mara?post=p1', { replace: true }, '/profile/mara?post=p2', '/profile/mara?post=p1')
  visit('/?story=s1', { replace: true }, '/?story=s2', '/?story=s1')
  expect(scrollTo).not.toHaveBeenCalled()
})

test('NAV-01 a page without a modal scrolls to its top when its own address, or another page, is opened', () => {
  visit('/profile/mara', { replace: true }, '/profile/mara')
  visit('/profile/mara?post=p1', {}, '/profile/ben?post=p1')
  expect(scrollTo.mock.calls).toEqual([[{ top: 0 }], [{ top: 0 }]])
})
