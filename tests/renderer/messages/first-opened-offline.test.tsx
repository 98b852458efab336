import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import { fakeServer, signIn } from '#tests/renderer/fake-server'
import { expectRows, expectState, fakeConversations, field, message, rows } from './conversations'

test('FEED-12 MSG-12 a conversation opened for the first time without a connection keeps its header, field and what is sent, and loads by itself later', async () => {
  const conversations = fakeConversations(fakeServer())
  signIn()
  conversations.add('ben', ['Are you there?'])
  openApp('/messages')
  await expectRows('ben')
  const restore = ['GET messages', 'POST messages', 'GET conversations'].map((name) =>
    conversations.fail(name),
  )
  await userEvent.click(within(rows()[0] as HTMLElement).getByRole('link'))
  const later = () => screen.queryByText('Older messages appear when the connection is back.')
  await vi.waitFor(() => expect(later()).not.toBeNull())
  // Nothing says that these are all messages.
  expect(screen.queryByText(/^This is the beginning/)).toBeNull()
  await userEvent.type(await field(), 'Just arrived{Enter}')
  await message('Just arrived')
  await userEvent.type(await field(), 'And hungry')
  await press('Try again')
  await message('Just arrived')
  expect(later()).not.toBeNull()
  screen.getByRole('button', { name: 'Search in conversation' })

  for (const back of restore) back()
  act(() => void dispatchEvent(new Event('online')))
  await message('Are you there?')
  expect(later()).toBeNull()
  await expectState('Just arrived', 'less than a minute ago')
  expect((await field()).value).toBe('And hungry')
})
