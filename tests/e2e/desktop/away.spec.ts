import type { Page } from '@playwright/test'
import { addStory, viewer } from '../fixtures/stories'
import { write } from '../support/conversations'
import { longStep } from '../support/long-step'
import type { Member } from '../support/member'
import { field, message } from '../support/messages-page'
import { goOffline } from '../support/network'
import { newPair, signIn } from './support/members'
import { expect, type RunningApp, test } from './support/test'

/** The read state of each message in this member's conversations, oldest first. */
async function areRead(sender: Member): Promise<boolean[]> {
  const { data } = await sender.api
    .from('messages')
    .select('read')
    .eq('sender_id', sender.id)
    .order('created_at')
    .throwOnError()
  return (data ?? []).map(({ read }) => read)
}

/** Records the events that the page sends over its live connections. */
function sentLive(page: Page): string[] {
  const events: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const found = /"(track|untrack|heartbeat)"/.exec(String(payload))?.[1]
      if (found !== undefined) events.push(found)
    }),
  )
  return events
}

const notificationsFrom = (app: RunningApp, { username }: Member) =>
  expect.poll(async () =>
    (await app.notifications()).filter(({ title }) => title === username).map(({ body }) => body),
  )

test('MSG-05 SET-05 DESK-03 DESK-14 a hidden window or an idle computer marks nothing as seen, and a crash, sleep or logoff loses nothing', {
  tag: '@steps',
}, async ({ desktop }) => {
  const app = await desktop.start()
  const { member, anna, id } = await newPair(app)
  await write(anna, id, 'Before')
  const story = await addStory(anna)
  const { page } = app
  const presence = () => events.filter((event) => event !== 'heartbeat').at(-1)
  const events = sentLive(page)
  await signIn(app, member)
  await page.evaluate(() => window.desktop?.preferences.set({ keepRunningInTray: true }))

  await test.step('in the tray nothing is marked as read', async () => {
    await app.startAgain([`vignette://messages/${id}`])
    await expect(message(page, 'Before')).toBeVisible()
    await expect.poll(() => areRead(anna)).toEqual([true])
    await expect.poll(presence).toBe('track')

    await app.closeWindow()
    await expect.poll(presence).toBe('untrack')
    await write(anna, id, 'Meanwhile')
    await notificationsFrom(app, anna).toEqual(['Meanwhile'])
    await expect.poll(app.badge).toBe('1')
    expect(await areRead(anna)).toEqual([true, false])
    await app.clickTray('Open Vignette (1 unread)')
    await expect.poll(() => areRead(anna)).toEqual([true, true])
    await expect.poll(app.badge).toBe('0')
    await expect.poll(presence).toBe('track')
  })

  await longStep('DESK-14 with nobody at the computer nothing is marked as read', async () => {
    // A conversation sends its presence three times in half a minute; one that is opened again begins anew.
    const tracks = () => events.filter((event) => event === 'track').length
    const before = tracks()
    await app.startAgain(['vignette://messages'])
    await expect(field(page)).toHaveCount(0)
    await app.startAgain([`vignette://messages/${id}`])
    await expect.poll(tracks).toBeGreaterThan(before)
    await app.setIdle(120)
    await expect.poll(presence).toBe('untrack')
    await write(anna, id, 'Anybody there?')
    await notificationsFrom(app, anna).toEqual(['Meanwhile', 'Anybody there?'])
    expect(await areRead(anna)).toEqual([true, true, false])
    await app.setIdle(0)
    await expect.poll(() => areRead(anna)).toEqual([true, true, true])
    await expect.poll(presence).toBe('track')
  })

  await longStep('a message sent during a network failure notifies once', async () => {
    // A story is paused while hidden, for longer than its duration.
    await app.startAgain([`vignette://story/${story}`])
    await expect(
      viewer(page, anna.username).getByRole('img', { name: `Story by ${anna.username}` }),
    ).toBeVisible()
    await app.closeWindow()
    desktop.problems.stop()
    await goOffline(page.context())
    await expect(page.getByText('Connection lost.')).toBeVisible()
    await write(anna, id, 'While you were away')
    await page.context().setOffline(false)
    await notificationsFrom(app, anna).toEqual(['Meanwhile', 'Anybody there?', 'While you were away'])
    await expect(page.getByText('Connection lost.')).toBeHidden()
    desktop.problems.resume()
    expect(await areRead(anna)).toEqual([true, true, true, false])
    await app.startAgain([])
    await expect(viewer(page, anna.username)).toBeVisible()

    await app.clickNotification()
    await expect(message(page, 'While you were away')).toHaveCount(1)
    await expect.poll(() => areRead(anna)).toEqual([true, true, true, true])
    await notificationsFrom(app, anna).toEqual(['Meanwhile', 'Anybody there?', 'While you were away'])
  })

  await test.step('a crashed page reopens where it was', async () => {
    // Without a keychain the session would not survive the run.
    await page.evaluate(() => window.desktop?.session.keepAnyway())
    await field(page).fill('From four')
    await app.crashPage()
    await expect(page.getByText('Vignette’s window had to be opened again.')).toBeVisible()
    await expect(message(page, 'Before')).toBeVisible()
    await expect(field(page)).toHaveValue('From four')
    await write(anna, id, 'Hello?')
    await expect(message(page, 'Hello?')).toBeVisible()
  })

  await longStep('each wake from sleep checks the connection at once', async () => {
    // Otherwise the page checks every 25 seconds.
    for (let nap = 0; nap < 3; nap++) {
      const before = events.filter((event) => event === 'heartbeat').length
      await app.resume()
      await expect.poll(() => events.filter((event) => event === 'heartbeat').length).toBeGreaterThan(before)
    }
  })

  await test.step('a logoff ends the app cleanly', async () => {
    await field(page).fill('From four on')
    desktop.problems.stop()
    await app.endSession()
    expect(await app.ended).toBe(0)
  })

  await longStep('the next start shows the messages and the draft', async () => {
    const again = await desktop.start()
    await again.startAgain([`vignette://messages/${id}`])
    await expect(message(again.page, 'Hello?')).toBeVisible()
    await expect(field(again.page)).toHaveValue('From four on')
  })
})
