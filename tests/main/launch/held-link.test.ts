import { expect, test } from 'vitest'
import { createHeldLink } from '#/main/launch/held-link'

test('AUTH-17 DESK-05 shows the window and returns the last link to the page once', () => {
  const calls: string[] = []
  const { open, take } = createHeldLink<string>({
    show: () => calls.push('show'),
    changed: () => calls.push('changed'),
  })
  expect(take()).toBeNull()
  open('access_token=first')
  open('access_token=second')
  expect(calls).toEqual(['show', 'changed', 'show', 'changed'])
  expect(take()).toBe('access_token=second')
  expect(take()).toBeNull()
})
