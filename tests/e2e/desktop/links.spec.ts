import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

test('DESK-16 a click that asks for a tab opens the link in the window, and Back returns', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const member = await newMember(app)
  await signIn(app, member)
  const { page } = app
  const messages = page.getByRole('link', { name: 'Messages' }).first()
  const clicks = [
    () => messages.click({ modifiers: ['ControlOrMeta'] }),
    () => messages.click({ button: 'middle' }),
  ]
  for (const click of clicks) {
    await click()
    await expect(page).toHaveURL(/\/messages$/)
    await page.goBack()
    await expect(messages).toBeVisible()
    await expect(page).not.toHaveURL(/\/messages$/)
  }
  expect(await app.openedExternally()).toEqual([])
})
