import { startConversation, write } from '../support/conversations'
import { message } from '../support/messages-page'
import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

const isMac = process.platform === 'darwin'

test('DESK-04 SET-06 closed into the tray the app runs on and hears of messages; the tray leads into it and quits it', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app)]
  await signIn(app, member)
  const { page } = app
  await app.clickMenu('Settings…')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  // On macOS closing never quits: there is nothing to choose.
  if (!isMac) {
    const stay = page.getByRole('switch', { name: 'Keep running in the tray' })
    await stay.click()
    // It moves with the answer: the app knows it by now.
    await expect(stay).toBeChecked()
  }
  await app.closeWindow()
  await expect.poll(app.window).toMatchObject({ isVisible: false })

  const id = await startConversation(anna, member)
  await write(anna, id, 'Are you there?')
  await expect
    .poll(async () => (await app.notifications()).map(({ body }) => body))
    .toContain('Are you there?')
  await expect
    .poll(async () => (await app.tray()).labels)
    .toEqual(['Open Vignette (1 unread)', 'Messages', 'New Post', 'Quit Vignette'])
  await app.clickTray('Messages')
  await expect.poll(app.window).toMatchObject({ isVisible: true })
  await page.getByRole('link', { name: anna.username }).first().click()
  await expect(message(page, 'Are you there?')).toBeVisible()
  await app.clickTray('New Post')
  await expect(page).toHaveURL(/\/create$/)

  desktop.problems.stop()
  await app.clickTray('Quit Vignette')
  expect(await app.ended).toBe(0)
})
