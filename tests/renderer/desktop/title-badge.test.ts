import fc from 'fast-check'
import { expect, test } from 'vitest'
import { badgedTitle } from '#/renderer/features/desktop/title-badge'

test('DESK-04 in a browser the tab’s title has the unread count, and none at zero', () => {
  expect(badgedTitle('Messages · Vignette', 3)).toBe('(3) Messages · Vignette')
  expect(badgedTitle('(3) Messages · Vignette', 12)).toBe('(9+) Messages · Vignette')
  expect(badgedTitle('(9+) Messages · Vignette', 0)).toBe('Messages · Vignette')
})

test('a new badge replaces the previous one', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (first, second) => {
      expect(badgedTitle(badgedTitle('mara · Vignette', first), second)).toBe(
        badgedTitle('mara · Vignette', second),
      )
    }),
  )
})
