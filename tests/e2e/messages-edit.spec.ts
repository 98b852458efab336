import { texts } from '#/renderer/lib/texts'
import { photoPath } from './fixtures/photos'
import { startConversation, write } from './support/conversations'
import { chooseFiles } from './support/files'
import { holdReads, workerGate } from './support/held-files'
import { field, message } from './support/messages-page'
import { expect, test } from './support/test'

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

test('MSG-11 Enter while a photo is being prepared sends the message when the photo is ready, unless its text changes', {
  tag: '@long',
}, async ({ page, member, other }) => {
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
  const { data } = await other.api.from('messages').select('content,media_id').eq('sender_id', member.id)
  expect(data).toEqual([{ content: 'This one', media_id: expect.any(String) }])
})
