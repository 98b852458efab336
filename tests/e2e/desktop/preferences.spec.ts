import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { newMember, signIn } from './support/members'
import { canPlaceWindows, expect, test } from './support/test'

const theme = (page: Page) => page.getByRole('radiogroup', { name: 'Appearance' })
const likes = (page: Page) => page.getByRole('switch', { name: 'Likes and story views' })

test('SET-06 DESK-06 preferences, size and place of the window are kept between runs; a damaged file is set aside', async ({
  desktop,
}) => {
  const first = await desktop.start()
  await signIn(first, await newMember(first))
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
  await expect.poll(second.window).toMatchObject({ isVisible: true, bounds })
  await expect(second.page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await second.clickMenu('Settings…')
  await expect(theme(second.page).getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(likes(second.page)).not.toBeChecked()

  await desktop.quit()
  await writeFile(join(desktop.userData, 'preferences.json'), '{"theme": "da')
  const third = await desktop.start()
  await expect(third.page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await third.clickMenu('Settings…')
  await expect(theme(third.page).getByRole('radio', { name: 'System' })).toBeChecked()
  await expect(likes(third.page)).toBeChecked()
  expect(await readFile(join(desktop.userData, 'preferences.damaged.json'), 'utf8')).toBe('{"theme": "da')
})
