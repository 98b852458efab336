import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { emitIdsChange, emitRowChange } from '#/renderer/lib/live/row-changes-store'
import { openApp } from '#tests/renderer/app/open-app'
import { pageText, press } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, refusal, signIn } from '#tests/renderer/fake-server'
import {
  type Conversations,
  choose,
  expectRows,
  fakeConversations,
  field,
  message,
  rows,
  shown,
} from './conversations'

let server: FakeServer
let conversations: Conversations

beforeEach(() => {
  server = fakeServer()
  conversations = fakeConversations(server)
  signIn()
})

const region = (name: string) => screen.findByRole('region', { name })
const menuItems = async (button: string) => {
  await press(button)
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  await userEvent.keyboard('{Escape}')
  return items
}
/** The names above messages. */
const writers = (group: HTMLElement) =>
  within(group)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('/profile/'))
    .map(({ textContent }) => textContent)

const announced = () =>
  [...document.querySelectorAll('[aria-live=polite] p')].map(({ textContent }) => textContent)

test('MSG-01 MSG-03 MSG-04 a group has its name, names who wrote, and can be answered', async () => {
  const id = conversations.addGroup('Harbour', [
    ['otto', 'First'],
    ['otto', 'Second'],
    ['cleo', 'Third'],
  ])
  conversations.add('fred', ['We met in Covilhã'])
  openApp('/messages')
  await expectRows('fred', 'Harbour')
  await vi.waitFor(() => expect(rows()[1]?.textContent).toContain('cleo: Third'))
  expect(rows()[1]?.textContent).toContain('Unread')
  expect(await menuItems('Actions for Harbour')).toEqual(['Pin', 'Archive'])

  await userEvent.click(within(rows()[1] as HTMLElement).getByRole('link'))
  const group = await region('Group Harbour')
  await vi.waitFor(() => expect(writers(group)).toEqual(['otto', 'cleo']))
  expect(within(group).getByRole('heading').textContent).toBe('Harbour')
  expect(group.textContent).toContain('The messages that you can read begin here.')
  expect(await menuItems('Conversation options')).toEqual(['Pin', 'Archive'])
  expect(screen.queryByRole('button', { name: 'Details' })).toBeNull()
  await press('Search in conversation')
  await press('Close', await screen.findByRole('dialog', { name: 'Messages in Harbour' }))

  await vi.waitFor(() =>
    expect(server.sent('POST mark_read')).toContainEqual(expect.objectContaining({ conversation: id })),
  )
  await vi.waitFor(() => expect(rows()[1]?.textContent).not.toContain('Unread'))
  await userEvent.type(await field(), 'Hello all{Enter}')
  await message('Hello all')
  await vi.waitFor(() => expect(conversations.contents(id)).toContain('Hello all'))
  await vi.waitFor(() => expect(rows()[0]?.textContent).toContain('HarbourYou: Hello all'))
  expect(shown('Hello all')?.textContent).not.toContain('Seen')
})

test('MSG-11 in a group an answer names whose message it answers, and reactions are counted', async () => {
  const id = conversations.addGroup('Harbour', [
    ['otto', 'Coffee?'],
    ['cleo', 'Tea'],
  ])
  const [otto, cleo] = ['otto', 'cleo'].map((name) => conversations.member(name).id)
  const asked = conversations.write(id, 'At eight', otto)
  conversations.write(id, 'Yes', cleo, {
    reply_to_id: asked.id,
    reactions: [
      { member_id: otto ?? '', emoji: '❤️' },
      { member_id: cleo ?? '', emoji: '❤️' },
    ],
  })
  openApp(`/messages?c=${id}`)
  const answer = await message('Yes')
  await vi.waitFor(() =>
    expect(within(answer).getByTitle('Go to the message this answers').textContent).toContain('otto'),
  )
  expect(within(answer).getByTitle('2 members reacted with ❤️')).toBeDefined()

  await choose('Message options', 'Reply', await message('Tea'))
  await vi.waitFor(() => expect(pageText()).toContain('Replying to cleo'))
})

test('MSG-05 ACC-03 a new message in a group is announced with who wrote it, and an unsent one goes for everyone', async () => {
  const id = conversations.addGroup('Harbour', [['otto', 'Here']])
  const own = conversations.write(id, 'Me too')
  openApp(`/messages?c=${id}`)
  await message('Here')
  const row = conversations.write(id, 'And me', conversations.member('otto').id)
  act(() => emitRowChange('messages', { kind: 'insert', row }))
  await message('And me')
  await vi.waitFor(() => expect(announced()).toContain('otto: And me'))
  await choose('Message options', 'Unsend', shown(own.content))
  const dialog = await screen.findByRole('alertdialog', { name: 'Unsend this message?' })
  expect(dialog.textContent).toContain('It is deleted for everyone in the group.')
})

test('SAFE-01 who is removed while a group is open loses it from the list, and writes no more', async () => {
  const id = conversations.addGroup('Harbour', [['otto', 'Here']])
  openApp(`/messages?c=${id}`)
  await message('Here')
  server.on('GET conversations', () => [])
  server.on('GET my_conversations', () => [])
  act(() => emitIdsChange('conversations', { type: 'DELETE', ids: [id] }))
  expect((await region('Group Harbour')).textContent).toContain('Harbour')
  await vi.waitFor(() => expect(pageText()).toContain('You are no longer in this group.'))
  expect(screen.queryByRole('textbox', { name: 'Type a message...' })).toBeNull()
  await vi.waitFor(() => expect(rows()).toHaveLength(0))
})

test('MSG-13 who is invited sees the group among the requests, and cannot write yet', async () => {
  conversations.addGroup('Harbour', [], 'requests')
  server.on('GET messages', () => [])
  openApp('/messages?requests')
  await expectRows('Harbour')
  expect(rows()[0]?.textContent).not.toContain('Unread')
  expect(screen.queryByRole('button', { name: 'Actions for Harbour' })).toBeNull()
  await userEvent.click(within(rows()[0] as HTMLElement).getByRole('link'))
  await vi.waitFor(() => expect(pageText()).toContain('You are invited to this group.'))
  expect(pageText()).not.toContain('The messages that you can read begin here.')
  expect(screen.queryByRole('textbox', { name: 'Type a message...' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
})

test.each([
  ['without a name', ''],
  ['whose name is invisible', '\u200b\u3164\u2800'],
])('MSG-01 a group %s, and a writer who is hidden, have general names', async (_what, name) => {
  conversations.addGroup(name, [['otto', 'Here']])
  server.on('GET profiles', () => [])
  openApp('/messages')
  await expectRows('Group')
  await vi.waitFor(() => expect(rows()[0]?.textContent).toContain('Member: Here'))
})

test('MSG-15 a message leaves an archived group where it is', async () => {
  const id = conversations.addGroup('Harbour', [['otto', 'Here']], 'archived')
  openApp('/messages?archived')
  await expectRows('Harbour')
  const lists = () => server.calls.filter(({ name }) => name === 'GET my_conversations').length
  const before = lists()
  const row = conversations.write(id, 'Again', conversations.member('otto').id)
  act(() => emitRowChange('messages', { kind: 'insert', row }))
  await vi.waitFor(() => expect(rows()[0]?.textContent).toContain('otto: Again'))
  expect(lists()).toBe(before)
})

test('MSG-14 a group is no member to share with', async () => {
  conversations.addGroup('Harbour', [['otto', 'Here']])
  conversations.add('fred', ['We met'])
  server.on('GET follows', () => [])
  const id = conversations.add('cleo', ['Pass it on'])
  openApp(`/messages?c=${id}`)
  await choose('Message options', 'Forward', await message('Pass it on'))
  const dialog = await screen.findByRole('dialog', { name: 'Forward message' })
  await vi.waitFor(() => expect(within(dialog).getAllByRole('checkbox')).toHaveLength(2))
  expect(dialog.textContent).not.toContain('Harbour')
})

test('MSG-04 what was written to a group that refuses it returns to the field', async () => {
  const id = conversations.addGroup('Harbour', [['otto', 'Here']])
  openApp(`/messages?c=${id}`)
  conversations.fail('POST messages', () => refusal(403, 'PT403', 'This is not one of your conversations.'))
  await userEvent.type(await field(), 'Too late{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('This is not one of your conversations.')
  expect((await field()).value).toBe('Too late')
})
