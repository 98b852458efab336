import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import { fakeServer, postBy, signIn, suggestion } from '#tests/renderer/fake-server'

test('FEED-17 FEED-12 a search for someone to send to says at once that there is no connection, not that nobody was found', async () => {
  const server = fakeServer()
  signIn()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  server.on('POST my_conversations', () => [])
  server.on('POST search_profiles', () => Promise.reject(new TypeError('Failed to fetch')))
  openApp('/')
  await press('Share', await screen.findByRole('article'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Share post' }))
  const field = await dialog.findByRole('searchbox')
  fireEvent.change(field, { target: { value: 'ines' } })
  await dialog.findByText('Search works again when the connection is back.')
  expect(server.sent('POST search_profiles')).toHaveLength(1)
  server.on('POST search_profiles', () => [suggestion('ines')])
  await dialog.findByRole('checkbox', { name: /ines/ })
})
