import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { navigation, signOut } from '../support/auth-forms'
import { onDisk } from '../support/disk-cache'
import { longStep } from '../support/long-step'
import { insertPosts } from '../support/posts'
import { newMember, signIn } from './support/members'
import { persistence, staySignedIn, storedSession } from './support/session'
import { type Desktop, expect, test, windowPositions } from './support/test'

const theme = (page: Page) => page.getByRole('radiogroup', { name: 'Appearance' })
const post = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const likes = (page: Page) => page.getByRole('switch', { name: 'Likes and story views' })

async function storedBounds({ userData }: Desktop): Promise<unknown> {
  return JSON.parse(await readFile(join(userData, 'window.json'), 'utf8').catch(() => '{}')).bounds
}

test('AUTH-10 AUTH-11 DESK-01 DESK-06 SET-06 FEED-18 a restart shows the cached feed before the server has started, and keeps session, preferences and window; sign-out removes the session from the disk', {
  tag: '@steps',
}, async ({ desktop }) => {
  const first = await desktop.start()
  const [member, anna] = [await newMember(first), await newMember(first)]
  const [cached = ''] = await insertPosts(anna, 1, { content: () => 'First light' })
  await signIn(first, member)
  await staySignedIn(first.page)
  await expect(post(first.page, 'First light')).toBeVisible()
  await expect.poll(() => onDisk(first.page)).toContain(`["post","${cached}"]`)
  const kind = (await persistence(first.page)) === 'secure' ? 'sealed' : 'plain'
  await expect.poll(() => storedSession(desktop)).toBe(kind)
  expect(await first.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('access_token')
  await first.clickMenu('Settings…')
  await theme(first.page).getByRole('radio', { name: 'Dark' }).click()
  await likes(first.page).click()
  await expect(likes(first.page)).not.toBeChecked()
  const size = { width: 900, height: 700 }
  const asked = { x: 40, y: 60, ...size }
  await first.moveWindow(asked)
  // The app stores the bounds once the window has come to rest.
  await expect.poll(() => storedBounds(desktop)).toMatchObject(size)
  const rested = (await first.window()).bounds
  expect(rested).toMatchObject(windowPositions === 'exact' ? asked : size)
  const bounds = windowPositions === 'none' ? size : rested

  await insertPosts(anna, 1, { content: () => 'Last light' })

  const second = await desktop.restartHeld()
  await test.step('FEED-18 the feed is on screen while the server has not started, and then gets the newest posts', async () => {
    const { page } = second
    const backend = () => page.evaluate(() => window.desktop?.backend.state())
    const like = post(page, 'First light').getByRole('button', { name: 'Like' })
    await like.click()
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(post(page, 'Last light')).toHaveCount(0)
    expect(await backend()).toEqual({ state: 'starting' })

    await second.releaseBackend()
    await expect(post(page, 'Last light')).toBeVisible()
    await expect.poll(backend).toEqual({ state: 'ready' })
    await expect
      .poll(async () => (await anna.api.from('likes').select('user_id').eq('post_id', cached)).data)
      .toEqual([{ user_id: member.id }])
  })

  await test.step('session, preferences and window are the same after a restart', async () => {
    const { page } = second
    await expect.poll(second.window).toMatchObject({ isVisible: true, bounds })
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
    expect(await storedSession(desktop)).toBe(kind)
    await second.clickMenu('Settings…')
    await expect(theme(page).getByRole('radio', { name: 'Dark' })).toBeChecked()
    await expect(likes(page)).not.toBeChecked()
  })

  await signOut(second.page)
  await expect(second.page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => storedSession(desktop)).toBe('none')

  await longStep('a damaged preferences file is set aside', async () => {
    await desktop.quit()
    await writeFile(join(desktop.userData, 'preferences.json'), '{"theme": "da')
    const third = await desktop.start()
    await expect(third.page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await signIn(third, member)
    await expect(navigation(third.page).getByRole('button', { name: 'Account menu' })).toBeVisible()
    await third.clickMenu('Settings…')
    await expect(theme(third.page).getByRole('radio', { name: 'System' })).toBeChecked()
    await expect(likes(third.page)).toBeChecked()
    expect(await readFile(join(desktop.userData, 'preferences.damaged.json'), 'utf8')).toBe('{"theme": "da')
  })
})
