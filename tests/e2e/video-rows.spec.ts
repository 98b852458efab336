import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { openDatabase } from '#/backend/database/connection'
import { createMember, plantSession } from './support/member'
import { insertPhotoPost } from './support/photo-posts'
import { expect, test } from './support/test'

/** Runs SQL on the folder of a stopped server, without triggers. */
async function alterFolder(folder: string, sql: string): Promise<void> {
  const { driver } = await openDatabase(join(folder, 'postgres'))
  await driver.exec(`set session_replication_role = replica; ${sql}`)
  await driver.close()
}

test('FEED-14 PROF-06 a video that a later app has posted is shown as its cover in the feed, the grid and its post', {
  tag: '@long',
}, async ({ context, ownServer, page }) => {
  const member = await createMember(ownServer.info)
  await plantSession(context, ownServer.url, member)
  await insertPhotoPost(member, [{ size: [30, 20], altText: 'A pier' }], 'A photo')
  const id = await insertPhotoPost(
    member,
    [
      { size: [40, 30], altText: 'Waves' },
      { size: [30, 30], altText: 'A gull' },
    ],
    'A video and a photo',
  )

  await ownServer.stop()
  await alterFolder(
    ownServer.dataFolder,
    `update post_media set kind = 'video', media_path = user_id || '/' || gen_random_uuid() || '.mp4', duration_ms = 2000, has_sound = true
     where post_id = '${id}' and position = 0`,
  )
  await ownServer.restart()
  const rows = await member.api
    .from('post_media')
    .select('kind,media_path')
    .eq('post_id', id)
    .order('position')
  expect(rows.data).toEqual([
    { kind: 'video', media_path: expect.stringMatching(/\.mp4$/) },
    { kind: 'photo', media_path: null },
  ])

  const expectDrawn = (image: Locator) => expect(image).not.toHaveJSProperty('naturalWidth', 0)
  await page.goto(ownServer.url)
  const card = page.locator(`[data-post="${id}"]`)
  await expectDrawn(card.getByRole('img', { name: 'Waves' }))
  await expectDrawn(page.getByRole('img', { name: 'A pier' }))

  await page.goto(`${ownServer.url}/profile/${member.username}`)
  const cell = page.locator(`main a[href*="${id}"]`)
  await expectDrawn(cell.getByRole('img'))

  await cell.click()
  const dialog = page.getByRole('dialog')
  await expectDrawn(dialog.getByRole('img', { name: 'Waves' }))
  await page.keyboard.press('ArrowRight')
  await expectDrawn(dialog.getByRole('img', { name: 'A gull' }))
  await expect(dialog.getByText('A video and a photo')).toBeVisible()
})
