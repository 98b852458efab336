import { expect, test } from 'vitest'
import { createAuthLinks } from '#/main/auth-links'

test('AUTH-17 shows the window and returns the last link to the page once', () => {
  const calls: string[] = []
  const links = createAuthLinks({ show: () => calls.push('show'), changed: () => calls.push('changed') })
  const take = links.handlers['authLinks.take']
  expect(take()).toBeNull()
  links.open('access_token=first')
  links.open('access_token=second')
  expect(calls).toEqual(['show', 'changed', 'show', 'changed'])
  expect(take()).toBe('access_token=second')
  expect(take()).toBeNull()
})
