import { startConversation, write } from '../support/conversations'
import type { Member } from '../support/member'
import { conversation, message } from '../support/messages-page'
import { holdRequests } from '../support/network'
import { insertPosts } from '../support/posts'
import { newMember, signIn } from './support/members'
import { expect, type RunningApp, test } from './support/test'

async function like(fan: Member, post: string): Promise<void> {
  const { error } = await fan.api.from('likes').insert({ post_id: post, user_id: fan.id })
  expect(error).toBeNull()
}

const told = (app: RunningApp) => expect.poll(() => app.notifications().then((all) => all.map(shortly)))
const shortly = ({ title, body }: { title: string; body: string }) => `${title}: ${body}`

test('DESK-03 DESK-04 a message is told by the system with badge and tray; a click leads to it and clears them', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app)]
  const [post = ''] = await insertPosts(member, 1)
  await signIn(app, member)
  await app.handleWindow('minimize')
  const id = await startConversation(anna, member)
  await write(anna, id, 'Is the darkroom free?')
  await told(app).toEqual([`${anna.username}: Is the darkroom free?`])
  await expect.poll(app.badge).toBe('1')
  await expect.poll(async () => (await app.tray()).toolTip).toBe('Vignette · 1 unread')
  await expect.poll(async () => (await app.tray()).labels[0]).toBe('Open Vignette (1 unread)')

  await app.clickNotification()
  await expect.poll(app.window).toMatchObject({ isVisible: true, isFocused: true })
  await expect(conversation(app.page, anna)).toBeVisible()
  await expect(message(app.page, 'Is the darkroom free?')).toBeVisible()
  await expect.poll(app.badge).toBe('0')
  await expect.poll(async () => (await app.tray()).toolTip).toBe('Vignette')

  // In front, on that very conversation, it is not told; what happens elsewhere is. Behind other windows it is.
  await write(anna, id, 'From four on?')
  await expect(message(app.page, 'From four on?')).toBeVisible()
  await like(anna, post)
  await told(app).toEqual([`${anna.username}: Is the darkroom free?`, `${anna.username}: liked your post`])
  await app.handleWindow('blur')
  await write(anna, id, 'Or tomorrow?')
  await told(app).toEqual([
    `${anna.username}: Is the darkroom free?`,
    `${anna.username}: liked your post`,
    `${anna.username}: Or tomorrow?`,
  ])
})

test('DESK-03 a burst of likes is told as one, what is switched off not at all, one’s own doing never', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna, ben, cleo] = [
    await newMember(app),
    await newMember(app),
    await newMember(app),
    await newMember(app),
  ]
  await signIn(app, member)
  const { page } = app
  await page.evaluate(() => window.desktop?.preferences.set({ notifications: { messages: false } }))
  const [first = '', second = ''] = await insertPosts(member, 2)
  await app.handleWindow('blur')
  const id = await startConversation(member, anna)
  await write(member, id, 'My own words')
  await write(anna, id, 'Not to be told')
  await like(member, first)
  // Together for the app too, however long the machine takes over each: what each is about is read in one moment.
  const reads = await holdRequests(page, /\/rest\/v1\/notifications\?.*&id=eq/)
  await Promise.all([anna, ben, cleo].map((fan) => like(fan, first)))
  await expect.poll(reads.count).toBe(3)
  await reads.release()
  await told(app).toEqual([expect.stringContaining('3 new likes')])
  await app.clickNotification()
  await expect(page).toHaveURL(new RegExp(`[?&]post=${first}`))

  await app.handleWindow('blur')
  await like(ben, second)
  await told(app).toEqual([
    expect.stringContaining('3 new likes'),
    expect.stringContaining(`${ben.username}: `),
  ])
})
