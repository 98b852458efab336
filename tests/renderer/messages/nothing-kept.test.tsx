import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { SystemBanners } from '#/renderer/features/desktop'
import { connection } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import { app, openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, postBy, signIn } from '#tests/renderer/fake-server'
import { type Conversations, expectState, fakeConversations, field } from './conversations'

let server: FakeServer
let conversations: Conversations

const banner = () => screen.queryByText(texts.session.notKeptHere)
const dismiss = async () => {
  await screen.findByText(texts.session.notKeptHere)
  await press(texts.session.understood)
  expect(banner()).toBeNull()
}

beforeEach(() => {
  server = fakeServer()
  conversations = fakeConversations(server)
  signIn()
  connection.setState({ state: 'online', retryAt: null })
})

test('ACC-05 MSG-04 FEED-06 a browser without IndexedDB sends messages and comments, keeps a text for the visit, and says once that nothing is kept', async () => {
  const id = conversations.add('otto', [])
  server.on('GET posts', () => [postBy('otto', 'p1')])
  server.on('GET comments', () => [])
  server.on('POST comments', () => [{ created_at: '2026-03-01T12:00:00Z' }])
  openApp(`/messages?c=${id}`)
  render(<SystemBanners />)
  await userEvent.type(await field(), 'Hello{Enter}')
  await expectState('Hello', 'ago')
  await dismiss()
  await userEvent.click(screen.getByRole('link', { name: 'Home' }))
  const card = await screen.findByRole('article')
  await press(texts.post.comment, card)
  const comment = await within(card).findByPlaceholderText<HTMLTextAreaElement>(texts.post.commentPlaceholder)
  await userEvent.type(comment, 'What a morning{Enter}')
  await vi.waitFor(() => expect(server.sent('POST comments')).toMatchObject([{ content: 'What a morning' }]))
  await vi.waitFor(() => expect(comment.value).toBe(''))
  await userEvent.click(screen.getByRole('link', { name: /^Messages/ }))
  await userEvent.click(await screen.findByRole('link', { name: /otto/ }))
  await userEvent.type(await field(), 'Where is this?')
  act(() => app.go('/'))
  await screen.findByRole('article')
  act(() => app.go(-1))
  expect((await field()).value).toBe('Where is this?')
  expect(banner()).toBeNull()
  expect(conversations.contents(id)).toEqual(['Hello'])
})
