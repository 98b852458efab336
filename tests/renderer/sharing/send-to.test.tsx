import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Message } from '#/renderer/features/messages/message'
import { logFailure } from '#/renderer/lib/core/logger'
import { openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import { author, fakeServer, postBy, refusal, signIn, suggestion } from '#tests/renderer/fake-server'
import { fakeConversations, idOf } from '#tests/renderer/messages/conversations'

test('FEED-17 FEED-12 a search for someone to send to says at once that there is no connection, not that nobody was found', async () => {
  const server = fakeServer()
  signIn()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  server.on('GET my_conversations', () => [])
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

test('FEED-17 suggests followed members after conversations, finds any member, and says who did not get it and why', async () => {
  const server = fakeServer()
  const conversations = fakeConversations(server)
  signIn()
  server.on('GET posts', () => [postBy('mara', idOf(1))])
  server.on('GET comments', () => [])
  conversations.add('otto', ['Hello'])
  const [first = '', second = '', picky = ''] = ['first', 'second', 'quill'].map((name) =>
    conversations.add(name, [], 'none'),
  )
  // Members who are followed later come first; a conversation comes before them.
  server.on('GET follows', () =>
    ['second', 'first'].map((name) => {
      const { id } = conversations.member(name)
      return {
        created_at: '2026-03-01T12:00:00Z',
        person_id: id,
        person: { id, ...author(name), is_private: false },
      }
    }),
  )
  server.on('POST search_profiles', () => [{ ...suggestion('quill'), id: conversations.member('quill').id }])
  const refusals: Record<string, string> = {
    [second]: 'This member receives messages only from people they follow.',
    [picky]: 'This member receives messages only in conversations they already have.',
  }
  const sent: Message[] = []
  server.on('POST messages', ({ body }) => {
    const message = body as Message
    const why = refusals[message.conversation_id]
    if (why !== undefined) return refusal(403, 'PT403', why)
    sent.push(message)
    return conversations.write(message.conversation_id, message.content)
  })

  openApp(`/?post=${idOf(1)}`)
  await press('Share', await screen.findByRole('dialog', { name: 'Post by mara' }))
  const dialog = await screen.findByRole('dialog', { name: 'Share post' })
  const sharing = within(dialog)
  const choose = async (name: RegExp) => userEvent.click(await sharing.findByRole('checkbox', { name }))
  const group = within(await sharing.findByRole('group', { name: 'Send to' }))
  await vi.waitFor(() => {
    const names = group.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(names).toEqual(['otto', 'second', 'first'].map((name) => expect.stringContaining(name)))
  })
  await choose(/first/)
  await choose(/second/)
  fireEvent.change(sharing.getByRole('searchbox'), { target: { value: 'Quill' } })
  await choose(/quill/)
  expect(sharing.queryByRole('checkbox', { name: /otto/ })).toBeNull()
  await press('Send to 3', dialog)
  const alert = await sharing.findByRole('alert')
  expect([...alert.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    `Not sent to second. ${refusals[second]}`,
    `Not sent to quill. ${refusals[picky]}`,
  ])
  expect(vi.mocked(logFailure).mock.calls.filter(([what]) => what === 'share')).toHaveLength(2)
  // The failed recipients stay chosen and can be removed; the other one got the message.
  expect(sharing.getAllByRole('checkbox', { checked: true })).toHaveLength(2)
  expect(sent).toMatchObject([{ conversation_id: first, shared_post_id: idOf(1) }])
})
