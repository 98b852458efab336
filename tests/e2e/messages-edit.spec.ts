import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { photoPath } from './fixtures/photos'
import { startConversation, write } from './support/conversations'
import { chooseFiles } from './support/files'
import { holdReads, workerGate } from './support/held-files'
import { conversation, field, message, rows } from './support/messages-page'
import { answerWith, failRequests, holdRequests } from './support/network'
import { expect, test } from './support/test'

const MESSAGES = /\/rest\/v1\/messages/

const editField = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })

test('MSG-14 a member edits a message from its menu and with the arrow key, live, and a failure keeps the new text', async ({
  page,
  member,
  other,
  openAs,
  problems,
}) => {
  const id = await startConversation(other, member)
  await write(other, id, 'When do we leave?')
  await write(member, id, 'On Wensday')
  const theirs = await openAs(other)
  await theirs.goto(`/messages?c=${id}`)
  await expect(message(theirs, 'On Wensday')).toBeVisible()
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('A draft')

  await message(page, 'When do we leave?').getByRole('button', { name: 'Message options' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await message(page, 'On Wensday').getByRole('button', { name: 'Message options' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByText('Editing a message')).toBeVisible()
  await expect(editField(page)).toBeFocused()
  await expect(editField(page)).toHaveValue('On Wensday')
  await editField(page).fill('   ')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await editField(page).fill('On Wednesday')

  problems.expect(/rest\/v1\/messages/, /edit message: /)
  const refusal = { status: 403, json: { message: 'Messages can be edited for 15 minutes.', code: 'PT403' } }
  const undo = await answerWith(page, MESSAGES, refusal, { method: 'PATCH' })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText(
    'The change was not saved. Messages can be edited for 15 minutes.',
  )
  await expect(editField(page)).toHaveValue('On Wednesday')
  await undo()
  await page.keyboard.press('Enter')
  await expect(message(page, 'On Wednesday')).toContainText('Edited')
  await expect(message(theirs, 'On Wednesday')).toContainText('Edited')
  await expect(rows(theirs).first()).toContainText('On Wednesday')
  await expect(theirs.getByText('On Wensday')).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('A draft')

  // The arrow key edits the last own message, if the field is empty; Escape leaves it as it was.
  await page.keyboard.press('ArrowUp')
  await expect(editField(page)).toHaveCount(0)
  await field(page).fill('')
  await page.keyboard.press('ArrowUp')
  await expect(editField(page)).toHaveValue('On Wednesday')
  await editField(page).fill('Never mind')
  await page.keyboard.press('Escape')
  await expect(editField(page)).toHaveCount(0)
  await expect(message(page, 'On Wednesday')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Cancel editing' }).click()
  await expect(field(page)).toBeFocused()

  problems.expect(/rest\/v1\/messages/, /edit message: offline/)
  await page.keyboard.press('ArrowUp')
  await editField(page).fill('On Thursday')
  const back = await failRequests(page, MESSAGES, { method: 'PATCH' })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The change was not saved.')
  await back()
  await page.keyboard.press('Enter')
  await expect(message(theirs, 'On Thursday')).toBeVisible()
})

test('MSG-14 an edit closes at once: keys typed meanwhile are the next message, and a failure returns the text', async ({
  page,
  member,
  other,
  problems,
}) => {
  const id = await startConversation(member, other)
  await write(member, id, 'On Wensday')
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'On Wensday')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await editField(page).fill('On Wednesday')
  problems.expect(/rest\/v1\/messages/, /edit message: /)
  const held = await holdRequests(
    page,
    MESSAGES,
    { method: 'PATCH' },
    { status: 403, json: { message: 'Not now.', code: 'PT403' } },
  )
  await page.keyboard.press('Enter')
  await held.arrived
  await expect(editField(page)).toHaveCount(0)
  await expect(message(page, 'On Wednesday')).toBeVisible()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('At nine')
  await page.keyboard.press('Enter')
  await expect(message(page, 'At nine')).toContainText('less than a minute ago')
  await page.keyboard.type('Or ten')

  await held.release()
  const failed = page.getByRole('alert').filter({ hasText: 'The change was not saved.' })
  await expect(failed).toBeVisible()
  await expect(message(page, 'On Wensday')).toBeVisible()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(', then')
  await expect(field(page)).toHaveValue('Or ten, then')
  await failed.getByRole('button', { name: 'Edit' }).click()
  await expect(editField(page)).toHaveValue('On Wednesday')
  await page.keyboard.press('Enter')
  await expect(message(page, 'On Wednesday')).toContainText('Edited')
})

test('FEED-12 MSG-12 a conversation opened for the first time without a connection keeps its header, field and what is sent, and loads by itself later', async ({
  page,
  member,
  other,
  problems,
}) => {
  const id = await startConversation(other, member)
  await write(other, id, 'Are you there?')
  await page.goto('/messages')
  await expect(rows(page)).toHaveCount(1)
  problems.expect(/rest\/v1\/(messages|conversations)/)
  problems.allow(/: offline/)
  const back = await failRequests(page, /\/rest\/v1\/(messages|conversations)/)
  await rows(page).first().getByRole('link').click()
  const later = page.getByText('Older messages appear when the connection is back.')
  await expect(later).toBeVisible()
  // Nothing says that these are all messages.
  await expect(page.getByText('This is the beginning')).toHaveCount(0)
  await field(page).fill('Just arrived')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Just arrived')).toBeVisible()
  await field(page).fill('And hungry')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(message(page, 'Just arrived')).toBeVisible()
  await expect(later).toBeVisible()
  await expect(
    conversation(page, other).getByRole('button', { name: 'Search in conversation' }),
  ).toBeVisible()
  await problems.arrived()
  await back()
  await expect(message(page, 'Are you there?')).toBeVisible()
  await expect(later).toHaveCount(0)
  await expect(message(page, 'Just arrived')).toContainText('less than a minute ago')
  await expect(field(page)).toHaveValue('And hungry')
})

test('MSG-11 EDIT-02 while a chosen file is still being read, Enter waits for it, and a profile is not saved without it', async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(other, member)
  const release = await holdReads(page)
  const choose = async (button: string) => {
    await chooseFiles(page.getByRole('button', { name: button }), photoPath('orientation-6.jpg'))
  }
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('This')
  await choose('Add a photo')
  await field(page).press('Enter')
  await expect(page.getByText('Sent as soon as the photo is ready.')).toBeVisible()
  await expect(field(page)).toHaveValue('This')
  await release()
  await expect(message(page, 'This').getByRole('img', { name: 'Your photo' })).toBeVisible()
  await expect(message(page, 'This')).toContainText('less than a minute ago')
  await expect(field(page)).toHaveValue('')

  await page.goto('/edit-profile')
  await choose(texts.editProfile.changePhoto)
  const save = page.getByRole('button', { name: texts.editProfile.save })
  await expect(save).toBeDisabled()
  await page.getByRole('textbox', { name: texts.editProfile.fullName }).press('Enter')
  await expect(page).toHaveURL('/edit-profile')
  await release()
  await expect(page.getByRole('dialog', { name: texts.editProfile.cropTitle })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(save).toBeEnabled()
})

test('MSG-11 Enter while a photo is being prepared sends the message when the photo is ready, unless its text changes', async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(other, member)
  await write(other, id, 'Which wall?')
  const { release } = await workerGate(page, true)
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('This')
  await chooseFiles(page.getByRole('button', { name: 'Add a photo' }), photoPath('orientation-6.jpg'))
  await expect(page.getByRole('progressbar', { name: 'Preparing your photo' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Sent as soon as the photo is ready.')).toBeVisible()
  await field(page).fill('This one')
  await expect(page.getByText('Sent as soon as the photo is ready.')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Sent as soon as the photo is ready.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await release()
  await expect(message(page, 'This one')).toContainText('less than a minute ago')
  await expect(message(page, 'This one').getByRole('img', { name: 'Your photo' })).toBeVisible()
  await expect(field(page)).toHaveValue('')
  const { data } = await other.api.from('messages').select('content,photo_id').eq('sender_id', member.id)
  expect(data).toEqual([{ content: 'This one', photo_id: expect.any(String) }])
})
