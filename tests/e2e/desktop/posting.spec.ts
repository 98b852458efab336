import { copyFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { videoPath } from '../fixtures/videos'
import { startConversation } from '../support/conversations'
import { longStep } from '../support/long-step'
import { field, message, rows } from '../support/messages-page'
import { goOffline, holdRequests } from '../support/network'
import { png } from '../support/png'
import { newMember, signIn } from './support/members'
import { appPlatform, expect, test } from './support/test'

test('DESK-02 DESK-05 DESK-19 CREATE-02 FEED-04 MSG-02 links and photos open from the command line, and quitting finishes pending work', {
  tag: '@steps',
}, async ({ desktop }) => {
  const linked = 'anna.berg'
  const app = await desktop.start([`vignette://profile/${linked}`])
  const [member, anna] = [await newMember(app), await newMember(app, { username: linked })]
  await startConversation(member, anna)
  await signIn(app, member)
  const { page } = app
  await expect(page.getByRole('heading', { name: linked })).toBeVisible()

  const gull = join(desktop.userData, 'gull.png')
  await writeFile(
    gull,
    png(320, 240, (x, y) => [y % 256, x % 256, 90]),
  )
  const preview = (shown: Page) => shown.getByRole('img', { name: 'Your photo, as it will be posted' })
  await app.startAgain([gull])
  await expect(preview(page)).toBeVisible()
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await expect(preview(page)).toHaveCount(0)

  const photo = join(desktop.userData, 'ridge.png')
  await writeFile(
    photo,
    png(640, 480, (x, y) => [x % 256, y % 256, 120]),
  )
  const words = page.getByPlaceholder("What's on your mind?")
  const share = page.getByRole('button', { name: 'Share' })
  const choose = page.getByRole('button', { name: 'Choose photos' })
  // A cancelled dialog changes nothing.
  await choose.click()
  await expect(choose).toBeEnabled()
  await app.chooseFile(photo)
  await longStep(
    'DESK-19 Dock, taskbar or launcher show how much is uploaded, and that it waits for the connection',
    async () => {
      await app.chooseFile(photo)
      await choose.click()
      await expect(preview(page)).toBeVisible()
      await words.fill('Below the clouds')
      const progress = async () => {
        const shown = await app.progress()
        return shown && { ...shown, fraction: shown.fraction > 0 && shown.fraction < 1 }
      }
      const hold = (end: 'pass' | 'refuse') =>
        holdRequests(page, /\/storage\/v1\/object\/media\//, { method: 'POST' }, end)
      const first = await hold('pass')
      await share.click()
      await first.arrived
      const next = await hold('refuse')
      await first.release()
      await next.arrived
      await expect.poll(progress).toEqual({ fraction: true, isPaused: false })
      desktop.problems.stop()
      await goOffline(page.context())
      await next.release()
      await expect(page.getByText(texts.outbox.waiting)).toBeVisible()
      await expect.poll(progress).toEqual({ fraction: true, isPaused: appPlatform === 'win32' })
      await page.context().setOffline(false)
      await expect.poll(progress).toBeNull()
      desktop.problems.resume()
      await page.getByRole('link', { name: 'Create post' }).click()
      await expect(words).toHaveValue('')
    },
  )
  await choose.click()
  await expect(preview(page)).toBeVisible()
  await words.fill('Above the clouds')
  await share.click()
  const post = (shown: Page, text: string) => shown.getByRole('article').filter({ hasText: text })
  const like = (shown: Page) =>
    post(shown, 'Above the clouds').getByRole('button', { name: 'Like', exact: true })
  await expect(post(page, 'Above the clouds').getByRole('img').first()).toBeVisible()

  // From here on every response of the server is delayed.
  const table = (name: string) => new RegExp(`/rest/v1/${name}\\b`)
  const held = await Promise.all(
    ['likes', 'messages', 'posts'].map((name) => holdRequests(page, table(name), { method: 'POST' })),
  )
  await like(page).click()
  await expect(like(page)).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: /^Messages/ }).click()
  await rows(page).filter({ hasText: anna.username }).click()
  await field(page).fill('On my way')
  await field(page).press('Enter')
  await page.getByRole('link', { name: 'Create post' }).click()
  await words.fill('Written in a hurry')
  await share.click()
  await Promise.all(held.map(({ arrived }) => arrived))
  const quitting = desktop.quit()
  await expect.poll(app.window).toMatchObject({ isVisible: false })
  await Promise.all(held.map(({ release }) => release()))
  await quitting

  const again = (await desktop.start([gull])).page
  await expect(preview(again)).toBeVisible()
  await expect(again.getByPlaceholder("What's on your mind?")).toHaveValue('')
  await again.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(like(again)).toHaveAttribute('aria-pressed', 'true')
  await expect(post(again, 'Written in a hurry')).toHaveCount(1)
  await again.getByRole('link', { name: /^Messages/ }).click()
  await rows(again).filter({ hasText: anna.username }).click()
  await expect(message(again, 'On my way')).toHaveCount(1)
  await expect(field(again)).toHaveValue('')
})

test('STORY-08 DESK-05 a video that the app is opened with starts a story; one that is too large is refused by its name', {
  tag: '@long',
}, async ({ desktop }) => {
  const app = await desktop.start()
  const member = await newMember(app)
  await signIn(app, member)
  const { page } = app
  const large = join(desktop.userData, 'large.mov')
  await copyFile(videoPath('kinds/clip.mov'), large)
  await truncate(large, 1024 ** 3 + 1)
  await app.startAgain([large])
  await expect(page.getByRole('alert')).toHaveText(`large.mov: ${texts.media['video-too-large']}`)
  const clip = join(desktop.userData, 'layer-two.ts')
  await copyFile(videoPath('kinds/layer-two.mpegts'), clip)
  await app.startAgain([clip])
  const { makeStory } = texts
  const preview = page.locator(`video[aria-label="${makeStory.preview}"]`)
  await expect(preview).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText(makeStory.soundLost)).toBeVisible()
  await page.getByRole('button', { name: makeStory.edit }).click()
  await expect(page.getByRole('slider', { name: texts.videoEditor.handles.from })).toBeFocused()
  // A draft that a restart returns, with the video it was made of.
  await desktop.quit()
  const again = (await desktop.start()).page
  await again.getByRole('button', { name: 'Add story' }).click()
  await expect(again.locator(`video[aria-label="${makeStory.preview}"]`)).toBeVisible()
  await again.getByRole('button', { name: makeStory.edit }).click()
  await expect(again.getByRole('slider', { name: texts.videoEditor.handles.from })).toBeFocused()
})
