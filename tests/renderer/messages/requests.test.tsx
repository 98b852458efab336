import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitRowChange } from '#/renderer/lib/live'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  memberRow,
  PROFILE,
  refusal,
  signIn,
} from '#tests/renderer/fake-server'
import {
  type Conversations,
  choose,
  expectRows,
  fakeConversations,
  field,
  message,
  rows,
} from './conversations'

let server: FakeServer
let conversations: Conversations

beforeEach(() => {
  server = fakeServer()
  conversations = fakeConversations(server)
  signIn()
})

const bar = () => screen.queryByRole('region', { name: 'Message request' })
const at = (path: string) => vi.waitFor(() => expect(app.location.pathname + app.location.search).toBe(path))
const openRow = async (name: string) =>
  userEvent.click(
    within(screen.getByRole('list', { name: 'Conversations' })).getByRole('link', { name: new RegExp(name) }),
  )
const entry = (name: RegExp) => screen.queryByRole('link', { name })
const hasFocus = () => vi.waitFor(() => expect(document.activeElement).not.toBe(document.body))

test('MSG-13 a request can be deleted, answered or blocked', async () => {
  const deleted = conversations.add('otto', ['Buy my presets'], 'requests')
  conversations.add('pest', ['Buy my presets too'], 'requests')
  const answered = conversations.add('fred', ['We met in Covilhã'], 'requests')
  server.on('POST block_members', () => null)
  openApp('/messages?requests')
  await expectRows('fred', 'pest', 'otto')
  await choose('Actions for otto', 'Delete')
  const asked = await screen.findByRole('alertdialog', { name: 'Delete this request?' })
  expect(asked.textContent).toContain('Its messages disappear for you. They are not notified.')
  await press('Delete', asked)
  await expectRows('fred', 'pest')
  await hasFocus()
  expect(server.calls.find(({ name }) => name === 'PATCH conversation_views')).toMatchObject({
    body: { cleared_at: expect.any(String) },
    query: new URLSearchParams({
      member_id: `eq.${PROFILE.id}`,
      conversation_id: `eq.${deleted}`,
      select: 'cleared_at',
    }),
  })

  await openRow('pest')
  await press('Block', await screen.findByRole('region', { name: 'Message request' }))
  server.on('POST block_members', () => {
    conversations.remove('pest')
    return null
  })
  await press('Block', await screen.findByRole('dialog'))
  await expectRows('fred')

  await openRow('fred')
  await userEvent.type(await field(), 'Of course, the tripod!{Enter}')
  // An answer accepts it: the list shows it with the others.
  await at(`/messages?c=${answered}`)
  await vi.waitFor(() => expect(bar()).toBeNull())
  await expectRows('fredYou: Of course, the tripod!')
  await act(async () => app.go('/messages?requests'))
  await screen.findByText('No requests. Messages from people you don’t follow wait here.')
})

test('MSG-13 MSG-02 Message on the profile of a requester opens their request, which an answer accepts', async () => {
  const id = conversations.add('otto', ['Hello from outside'], 'requests')
  server.on('GET profiles', () => [memberRow('otto', { id: conversations.member('otto').id })])
  openApp('/profile/otto')
  await userEvent.click(await screen.findByRole('button', { name: 'Message' }))
  await at(`/messages?requests&c=${id}`)
  await screen.findByRole('heading', { name: 'Requests' })
  await vi.waitFor(() =>
    expect(
      within(rows()[0] as HTMLElement)
        .getByRole('link')
        .getAttribute('aria-current'),
    ).toBe('true'),
  )
  const request = within(await screen.findByRole('region', { name: 'Message request' }))
  for (const name of ['Block', 'Delete', 'Accept']) request.getByRole('button', { name })
  await userEvent.type(await field(), 'Hello back{Enter}')
  await at(`/messages?c=${id}`)
  await vi.waitFor(() => expect(bar()).toBeNull())
  await expectRows('ottoYou: Hello back')
  await vi.waitFor(() => expect(entry(/^Requests/)).toBeNull())
  act(() => app.go(-1))
  await at('/profile/otto')
})

test('MSG-13 a refused message says why, and its text stays', async () => {
  const id = conversations.add('otto', ['Hello'])
  openApp(`/messages?c=${id}`)
  await message('Hello')
  conversations.fail('POST messages', () =>
    refusal(403, 'PT403', 'This member receives messages only from people they follow.'),
  )
  await userEvent.type(await field(), 'Last offer {Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This member receives messages only from people they follow.',
  )
  expect((await field()).value).toContain('Last offer')
  expect(logFailure).toHaveBeenCalledWith('send message', expect.objectContaining({ code: 'forbidden' }))
})

test('MSG-15 a conversation is pinned, archived and deleted for its member only, and a failure says so', async () => {
  const first = conversations.add('otto', ['The older one'])
  const second = conversations.add('tina', ['The newer one'])
  openApp('/messages')
  await expectRows('tina', 'otto')
  await choose('Actions for otto', 'Pin')
  await vi.waitFor(() => expect(rows()[0]?.textContent).toContain('Pinned'))
  await expectRows('otto', 'tina')

  act(() =>
    within(rows()[0] as HTMLElement)
      .getByRole('link')
      .focus(),
  )
  await userEvent.keyboard('{ArrowDown}{Tab}{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  await expectRows('otto')
  await hasFocus()
  await screen.findByText('Conversation archived.')
  await press('Undo')
  await expectRows('otto', 'tina')
  await choose('Actions for tina', 'Archive')
  await vi.waitFor(() => expect(entry(/^Archived/)).not.toBeNull())
  const row = conversations.write(second, 'Back again', 'tina')
  act(() => emitRowChange('messages', { kind: 'insert', row }))
  await expectRows('otto', 'tinaBack again')
  expect(entry(/^Archived/)).toBeNull()

  await choose('Actions for otto', 'Unpin')
  await expectRows('tina', 'otto')
  await choose('Actions for otto', 'Archive')
  await expectRows('tina')
  await userEvent.click(await screen.findByRole('link', { name: 'Archived' }))
  await choose('Actions for otto', 'Move to messages')
  await screen.findByText(/^Nothing archived\./)
  await hasFocus()
  await userEvent.click(screen.getByRole('link', { name: 'Back to all messages' }))
  await choose('Actions for otto', 'Archive')
  await expectRows('tina')
  // MSG-02: a member who writes to somebody finds the conversation in the list.
  server.on('POST search_profiles', () => [{ id: conversations.member('otto').id, ...author('otto') }])
  await press('New conversation')
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search users...' }), 'otto')
  await userEvent.click(await screen.findByRole('option', { name: /otto/ }))
  await at(`/messages?c=${first}`)
  await expectRows('otto', 'tina')
  const allow = conversations.fail('PATCH conversation_views', () => refusal(500, 'XX000', 'broken'))
  await choose('Actions for otto', 'Pin')
  await screen.findByText('That did not work. Please try again.')
  expect(logFailure).toHaveBeenCalledWith('change conversation', expect.objectContaining({ code: 'server' }))
  allow()

  await openRow('tina')
  await choose('Conversation options', 'Delete')
  const asked = await screen.findByRole('alertdialog', { name: 'Delete this conversation?' })
  expect(asked.textContent).toContain(
    'Its messages disappear for you only; the other person keeps them. This cannot be undone.',
  )
  await press('Delete', asked)
  await at('/messages')
  await expectRows('otto')
  await hasFocus()
  expect(pageText()).not.toContain('The newer one')
})
