import { expect, test, vi } from 'vitest'
import {
  forgetServerLink,
  handleServerLinks,
  useServerLink,
} from '#/renderer/features/auth/server-link-store'
import { logFailure } from '#/renderer/lib/core/logger'

const address = { url: 'https://example.com', publishableKey: 'sb_1' }

test('DESK-05 takes the link that started the app and later ones, and forgets one that was shown', async () => {
  const links = [null, address]
  let open: (value: null) => void = () => undefined
  handleServerLinks({
    take: async () => links.shift() ?? null,
    onOpened: (listener) => {
      open = listener
      return () => undefined
    },
  })
  await vi.waitFor(() => expect(links).toHaveLength(1))
  expect(useServerLink.getState().address).toBeNull()
  open(null)
  await vi.waitFor(() => expect(useServerLink.getState().address).toEqual(address))
  forgetServerLink()
  expect(useServerLink.getState().address).toBeNull()
})

test('DESK-05 logs a link that cannot be taken', async () => {
  const cause = new Error('no bridge')
  handleServerLinks({ take: () => Promise.reject(cause), onOpened: () => () => undefined })
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('take server link', cause))
})
