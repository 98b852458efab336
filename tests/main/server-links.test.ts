import { expect, test } from 'vitest'
import { createServerLinks } from '#/main/server-links'

test('DESK-05 shows the window and returns the server of the last link to the page once', () => {
  const calls: string[] = []
  const links = createServerLinks({ show: () => calls.push('show'), changed: () => calls.push('changed') })
  const take = links.handlers['serverLinks.take']
  const serverOf = (name: string) => ({ url: `https://${name}.example`, publishableKey: name })
  expect(take()).toBeNull()
  links.open(serverOf('a'))
  links.open(serverOf('b'))
  expect(calls).toEqual(['show', 'changed', 'show', 'changed'])
  expect(take()).toEqual(serverOf('b'))
  expect(take()).toBeNull()
})
