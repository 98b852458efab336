import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#/renderer/features/messages/message'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live'
import { emitIdsChange } from '#/renderer/lib/live/row-changes-store'
import { gate } from '#tests/gate'
import { openApp } from '#tests/renderer/app/open-app'
import { fill, press } from '#tests/renderer/dom'
import { fakeServer, ME, refusal, signIn } from '#tests/renderer/fake-server'
import {
  type Conversations,
  expectRows,
  expectState,
  fakeConversations,
  field,
  message,
  offline,
  rows,
  shown,
} from './conversations'

let conversations: Conversations

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  conversations = fakeConversations(fakeServer())
  signIn()
})

const FIELD = 'Type a message...'
const STORED = 'less than a minute ago'
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
const openRow = async (name: string) => {
  const row = rows().find(({ textContent }) => textContent?.includes(name)) as HTMLElement
  await userEvent.click(within(row).getByRole('link'))
}
const hasValue = (value: string) => vi.waitFor(async () => expect((await field()).value).toBe(value))

test('MSG-04 Enter trims and sends a message, an error keeps the text, and a draft survives a restart', async () => {
  const id = conversations.add('otto', [])
  conversations.add('tina', ['Later'])
  openApp(`/messages?c=${id}`)
  await field()
  expect(sendButton().disabled).toBe(true)
  await vi.waitFor(async () => expect(document.activeElement).toBe(await field()))
  fill(FIELD, '  \n ')
  expect(sendButton().disabled).toBe(true)
  fill(FIELD, '')
  await userEvent.type(await field(), '  two{Shift>}{Enter}{/Shift}lines  ')
  await expectRows('tina', 'otto')
  await userEvent.keyboard('{Enter}')
  expect((await field()).value).toBe('')
  await expectState('two', STORED)
  await expectRows('ottoYou: two lines', 'tina')
  expect(conversations.contents(id)).toEqual(['two\nlines'])

  const { opened: answered, open: answer } = gate()
  const allow = conversations.fail('POST messages', async () => {
    await answered
    return refusal(400, 'P0001', 'Not today')
  })
  fill(FIELD, '  Not lost  ')
  await press('Send')
  await expectState('Not lost', 'Sending…')
  await expectRows('You: Not lost· Sending…', 'tina')
  await userEvent.type(await field(), 'and more')
  await act(async () => answer())
  // As it was typed: sending trims it.
  await hasValue('  Not lost  \nand more')
  expect(shown('Not lost')).toBeUndefined()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(logFailure).toHaveBeenCalledWith('send message', expect.objectContaining({ code: 'refused' }))

  await openRow('tina')
  await hasValue('')
  await expectRows('Draft: Not lost', 'tina')
  expect(JSON.stringify(localStorage)).toContain('Not lost')
  openApp('/messages')
  await expectRows('Draft: Not lost', 'tina')
  await openRow('otto')
  await hasValue('  Not lost  \nand more')
  allow()
  await press('Send')
  await expectState('Not lost', STORED)
  await vi.waitFor(() => expect(JSON.stringify(localStorage)).not.toContain('Not lost'))
  openApp(`/messages?c=${id}`)
  await message('Not lost')
  await hasValue('')
  expect(conversations.contents(id)).toEqual(['two\nlines', 'Not lost  \nand more'])
})

test('MSG-04 a message that is refused after its conversation has closed returns to a field that has the focus', async () => {
  const id = conversations.add('otto', ['Are you there?'])
  openApp(`/messages?c=${id}`)
  await message('Are you there?')
  const { opened: answered, open: answer } = gate()
  conversations.fail('POST messages', async () => {
    await answered
    return refusal(403, '42501', 'new row violates row-level security policy')
  })
  await userEvent.type(await field(), 'Too late{Enter}')
  await expectState('Too late', 'Sending…')
  conversations.remove('otto')
  emitIdsChange('conversations', { type: 'DELETE', ids: [id] })
  const title = await screen.findByRole('heading', { name: 'Messages' })
  await vi.waitFor(() => expect(document.activeElement).toBe(title))
  await act(async () => answer())
  const left = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'What you had written:' })
  expect(left.value).toBe('Too late')
  await vi.waitFor(() => expect(document.activeElement).toBe(left))
})

test('MSG-04 MSG-09 a message whose response is lost or an error of the server is pending only if it may be stored, and is sent once', async () => {
  const id = conversations.add('otto', ['Are you there?'])
  openApp(`/messages?c=${id}`)
  await message('Are you there?')
  const send = async (text: string) => userEvent.type(await field(), `${text}{Enter}`)
  const failed = () =>
    vi.mocked(logFailure).mock.calls.map(([what, cause]) => `${what}: ${(cause as { code?: string }).code}`)
  /** The server stores a message, and the response is this one. */
  const storing = (respond: () => unknown) =>
    conversations.fail('POST messages', ({ body }) => {
      const { conversation_id, content, ...rest } = body as Message
      conversations.write(conversation_id, content, ME, rest)
      return respond()
    })
  const error = () => refusal(500, 'XX000', 'internal error')

  const reconnect = storing(offline)
  await send('Answer lost')
  await message('Answer lost')
  await vi.waitFor(() => expect(failed()).toContain('send message: offline'))
  expect((await field()).value).toBe('')
  reconnect()
  act(() => void dispatchEvent(new Event('online')))
  await expectState('Answer lost', STORED)

  // A lookup finds it, and nothing returns to the field.
  const recover = storing(error)
  await send('Stored')
  await expectState('Stored', STORED)
  expect((await field()).value).toBe('')
  recover()

  // Not stored: it returns to the field.
  const repair = conversations.fail('POST messages', error)
  await send('Server error')
  await hasValue('Server error')
  expect(shown('Server error')).toBeUndefined()
  expect(failed()).toContain('send message: server')
  repair()
  fill(FIELD, '')

  // A proxy refuses it: whether it was stored is unknown.
  const pass = conversations.fail('POST messages', () => new Response('Bad Gateway', { status: 502 }))
  act(() => connection.setState({ state: 'online', retryAt: null }))
  await send('Bad gateway')
  const waiting = await message('Bad gateway')
  await within(waiting).findByRole('button', { name: 'Discard' })
  await expectState('Bad gateway', 'Sending…')
  expect(shown('Bad gateway')?.textContent).not.toContain('Waiting for the connection…')
  expect((await field()).value).toBe('')
  pass()
  act(() => void dispatchEvent(new Event('online')))
  await expectState('Bad gateway', STORED)
  expect(conversations.contents(id)).toEqual(['Are you there?', 'Answer lost', 'Stored', 'Bad gateway'])
})
