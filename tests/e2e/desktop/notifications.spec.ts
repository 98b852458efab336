import { startConversation, write } from '../support/conversations'
import { longStep } from '../support/long-step'
import { conversation, message } from '../support/messages-page'
import { holdAnswers } from '../support/network'
import { insertPosts, likePost } from '../support/posts'
import { newMember, signIn } from './support/members'
import { appPlatform, expect, type RunningApp, test } from './support/test'

const isMac = appPlatform === 'darwin'
/** The notification about the first close to the tray. */
const KEEPS_RUNNING = 'Vignette keeps running'

/** Notifications about other members, without the first `earlier` ones. */
const expectNotifications = (app: RunningApp, earlier: number) =>
  expect.poll(async () => {
    const all = await app.notifications()
    return all
      .filter(({ title }) => title !== KEEPS_RUNNING)
      .slice(earlier)
      .map(shortly)
  })
const shortly = ({ title, body }: { title: string; body: string }) => `${title}: ${body}`

/** The member leaves the window. Resolves once the page knows it: the system may take its time. */
async function leaveWindow({ handleWindow, page }: RunningApp, act: 'blur' | 'minimize'): Promise<void> {
  const left = await page.evaluateHandle(() => ({
    done: new Promise<void>((resolve) => {
      const check = ({ isFocused }: { isFocused: boolean }) => {
        if (!isFocused) resolve()
      }
      window.desktop?.window.onChange(check)
      void window.desktop?.window.state().then(check)
    }),
  }))
  await handleWindow(act)
  await left.evaluate(({ done }) => done)
}

test('DESK-03 DESK-04 DESK-10 SET-06 the system shows messages and likes, with badge and tray, also while the window is closed', {
  tag: '@steps',
}, async ({ desktop }) => {
  const app = await desktop.start()
  const [member, anna, ben, cleo] = [
    await newMember(app),
    await newMember(app),
    await newMember(app),
    await newMember(app),
  ]
  const [post = '', first = '', second = ''] = await insertPosts(member, 3)
  await signIn(app, member)
  const { page } = app
  const id = await startConversation(anna, member)

  await test.step('the app keeps running in the tray, whose menu opens messages and a new post', async () => {
    // Its default is the platform's.
    await page.evaluate(() => window.desktop?.preferences.set({ keepRunningInTray: false }))
    await app.clickMenu('Settings…')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    // macOS never quits on close, so there is no setting.
    if (!isMac) {
      const stay = page.getByRole('switch', { name: 'Keep running in the tray' })
      await expect(stay).not.toBeChecked()
      await stay.click()
      // The switch changes after the reply, so the app has stored it.
      await expect(stay).toBeChecked()
    }
    await app.closeWindow()
    await expect.poll(app.window).toMatchObject({ isVisible: false })

    await write(anna, id, 'Are you there?')
    await expectNotifications(app, 0).toEqual([`${anna.username}: Are you there?`])
    await expect
      .poll(async () => (await app.tray()).labels)
      .toEqual(['Open Vignette (1 unread)', 'Messages', 'New Post', 'Quit Vignette'])
    await app.clickTray('Messages')
    await expect.poll(app.window).toMatchObject({ isVisible: true })
    await page.getByRole('link', { name: anna.username }).first().click()
    await expect(message(page, 'Are you there?')).toBeVisible()
    await expect.poll(app.badge).toBe('0')
    await app.clickTray('New Post')
    await expect(page.getByRole('heading', { level: 1, name: 'Create post' })).toBeVisible()
    await expect(page).toHaveURL(/\/create$/)
  })

  await test.step('a click on a notification opens the conversation and clears badge and tray', async () => {
    await leaveWindow(app, 'minimize')
    await write(anna, id, 'Is the darkroom free?')
    await expectNotifications(app, 1).toEqual([`${anna.username}: Is the darkroom free?`])
    await expect.poll(app.badge).toBe('1')
    await expect.poll(async () => (await app.tray()).toolTip).toBe('Vignette · 1 unread')
    await expect.poll(async () => (await app.tray()).labels[0]).toBe('Open Vignette (1 unread)')

    await app.clickNotification()
    await expect.poll(app.window).toMatchObject({ isVisible: true, isFocused: true })
    await expect(conversation(page, anna)).toBeVisible()
    await expect(message(page, 'Is the darkroom free?')).toBeVisible()
    await expect.poll(app.badge).toBe('0')
    await expect.poll(async () => (await app.tray()).toolTip).toBe('Vignette')
  })

  await longStep(
    'the open conversation notifies only behind other windows; reading elsewhere removes it',
    async () => {
      await write(anna, id, 'From four on?')
      await expect(message(page, 'From four on?')).toBeVisible()
      await likePost(anna, post)
      await expectNotifications(app, 1).toEqual([
        `${anna.username}: Is the darkroom free?`,
        `${anna.username}: liked your post`,
      ])
      await leaveWindow(app, 'blur')
      await write(anna, id, 'Or tomorrow?')
      await expectNotifications(app, 3).toEqual([`${anna.username}: Or tomorrow?`])
      const before = await app.notificationsOnScreen()
      // Read on another device of the member.
      const { error } = await member.api.from('messages').update({ read: true }).eq('recipient_id', member.id)
      expect(error).toBeNull()
      await expect.poll(app.notificationsOnScreen).toBe(before - 1)
    },
  )

  await longStep(
    'a burst of likes notifies once; disabled topics and own actions do not notify',
    async () => {
      await page.evaluate(() => window.desktop?.preferences.set({ notifications: { messages: false } }))
      const withBen = await startConversation(member, ben)
      await write(member, withBen, 'My own words')
      await write(ben, withBen, 'Not notified')
      await likePost(member, first)
      // The app combines those of the same moment, but a busy server answers them one by one.
      const reads = await holdAnswers(page, /\/rest\/v1\/notifications\?.*&id=eq/)
      await Promise.all([anna, ben, cleo].map((fan) => likePost(fan, first)))
      await expect.poll(reads.count).toBe(3)
      await reads.release()
      await expectNotifications(app, 4).toEqual([expect.stringContaining('3 new likes')])
      await app.clickNotification()
      await expect(page).toHaveURL(new RegExp(`[?&]post=${first}`))

      await leaveWindow(app, 'blur')
      await likePost(ben, second)
      await expectNotifications(app, 4).toEqual([
        expect.stringContaining('3 new likes'),
        expect.stringContaining(`${ben.username}: `),
      ])
    },
  )

  await test.step('the tray quits the app', async () => {
    desktop.problems.stop()
    await app.clickTray('Quit Vignette')
    expect(await app.ended).toBe(0)
  })
})
