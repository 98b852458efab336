import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { navigation, signOut } from '../support/auth-forms'
import { longStep } from '../support/long-step'
import { newMember, signIn } from './support/members'
import { persistence, staySignedIn, storedSession } from './support/session'
import { canPlaceWindows, expect, test } from './support/test'

const theme = (page: Page) => page.getByRole('radiogroup', { name: 'Appearance' })
const likes = (page: Page) => page.getByRole('switch', { name: 'Likes and story views' })

test('AUTH-10 AUTH-11 DESK-01 DESK-06 SET-06 a restart keeps session, preferences and window; sign-out removes the session from the disk', {
  tag: '@steps',
}, async ({ desktop }) => {
  const first = await desktop.start()
  const member = await newMember(first)
  await signIn(first, member)
  await staySignedIn(first.page)
  const kind = (await persistence(first.page)) === 'secure' ? 'sealed' : 'plain'
  await expect.poll(() => storedSession(desktop)).toBe(kind)
  expect(await first.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('access_token')
  await first.clickMenu('Settings…')
  await theme(first.page).getByRole('radio', { name: 'Dark' }).click()
  await likes(first.page).click()
  await expect(likes(first.page)).not.toBeChecked()
  const [position, size] = [
    { x: 40, y: 60 },
    { width: 900, height: 700 },
  ]
  await first.moveWindow({ ...position, ...size })
  const bounds = canPlaceWindows ? { ...position, ...size } : size
  await expect.poll(first.window).toMatchObject({ bounds })

  const second = await desktop.restart()
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
