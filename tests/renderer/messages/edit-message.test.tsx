import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitRowChange } from '#/renderer/lib/live'
import { gate } from '#tests/gate'
import { openApp } from '#tests/renderer/app/open-app'
import { fill, press } from '#tests/renderer/dom'
import { fakeServer, refusal, signIn } from '#tests/renderer/fake-server'
import {
  type Conversations,
  choose,
  expectRows,
  expectState,
  fakeConversations,
  field,
  message,
  shown,
} from './conversations'

let conversations: Conversations
let id: string

beforeEach(async () => {
  conversations = fakeConversations(fakeServer())
  signIn()
  id = conversations.add('ben', ['When do we leave?'])
  conversations.write(id, 'On Wensday')
  openApp(`/messages?c=${id}`)
  await message('On Wensday')
})

const editField = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' })
const alert = () => screen.findByRole('alert')
const hasFocus = async () => expect(document.activeElement).toBe(await field())
const editLast = async (text: string) => {
  await userEvent.type(await field(), '{ArrowUp}')
  fill('Edit message', text)
}

test('MSG-14 a member edits a message from its menu and with the arrow key, live, and a failure keeps the new text', async () => {
  await userEvent.type(await field(), 'A draft')
  await press('Message options', await message('When do we leave?'))
  await screen.findByRole('menuitem', { name: 'Reply' })
  expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await choose('Message options', 'Edit', await message('On Wensday'))
  await screen.findByText('Editing a message')
  expect(document.activeElement).toBe(editField())
  expect(editField()?.value).toBe('On Wensday')
  fill('Edit message', '   ')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  fill('Edit message', 'On Wednesday')

  const TOO_LATE = 'Messages can be edited for 15 minutes.'
  const allow = conversations.fail('POST edit_message', () => refusal(403, 'PT403', TOO_LATE))
  await userEvent.keyboard('{Enter}')
  expect((await alert()).textContent).toContain(`The change was not saved. ${TOO_LATE}`)
  expect(logFailure).toHaveBeenCalledWith('edit message', expect.objectContaining({ code: 'forbidden' }))
  expect(editField()?.value).toBe('On Wednesday')
  allow()
  await userEvent.keyboard('{Enter}')
  await expectState('On Wednesday', 'Edited')
  await expectRows('You: On Wednesday')
  await hasFocus()
  expect((await field()).value).toBe('A draft')

  // The arrow key edits the last own message, if the field is empty; Escape leaves it as it was.
  await userEvent.keyboard('{ArrowUp}')
  expect(editField()).toBeNull()
  fill('Type a message...', '')
  await editLast('Never mind')
  await userEvent.keyboard('{Escape}')
  expect(editField()).toBeNull()
  await message('On Wednesday')
  await userEvent.keyboard('{ArrowUp}')
  await press('Cancel editing')
  await hasFocus()

  const back = conversations.fail('POST edit_message')
  await editLast('On Thursday')
  await userEvent.keyboard('{Enter}')
  expect((await alert()).textContent).toContain('The change was not saved.')
  expect(logFailure).toHaveBeenCalledWith('edit message', expect.objectContaining({ code: 'offline' }))
  back()
  await userEvent.keyboard('{Enter}')
  await expectState('On Thursday', 'Edited')

  const theirs = conversations.write(id, 'At five', 'ben')
  act(() => emitRowChange('messages', { kind: 'insert', row: theirs }))
  await expectState('At five', 'less than a minute ago')
  const edited = { ...theirs, content: 'At six', edited_at: new Date().toISOString() }
  act(() => emitRowChange('messages', { kind: 'update', row: edited }))
  await expectState('At six', 'Edited')
  expect(shown('At five')).toBeUndefined()
  await expectRows('At six')
})

test('MSG-14 an edit closes at once: keys typed meanwhile are the next message, and a failure returns the text', async () => {
  const { opened: released, open: release } = gate()
  const allow = conversations.fail('POST edit_message', async () => {
    await released
    return refusal(403, 'PT403', 'Not now.')
  })
  await editLast('On Wednesday')
  await userEvent.keyboard('{Enter}')
  expect(editField()).toBeNull()
  await message('On Wednesday')
  await hasFocus()
  await userEvent.keyboard('At nine{Enter}')
  await expectState('At nine', 'less than a minute ago')
  await userEvent.keyboard('Or ten')

  await act(async () => release())
  const failed = await alert()
  expect(failed.textContent).toContain('The change was not saved.')
  await message('On Wensday')
  await hasFocus()
  await userEvent.keyboard(', then')
  expect((await field()).value).toBe('Or ten, then')
  allow()
  await press('Edit', failed)
  expect(editField()?.value).toBe('On Wednesday')
  await userEvent.keyboard('{Enter}')
  await expectState('On Wednesday', 'Edited')
})
