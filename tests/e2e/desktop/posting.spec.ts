import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { png } from '../support/png'
import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

test('DESK-02 CREATE-02 a photo chosen in the system’s dialog is posted, liked, and there after a restart', async ({
  desktop,
}) => {
  const app = await desktop.start()
  await signIn(app, await newMember(app))
  const { page } = app
  const photo = join(desktop.userData, 'ridge.png')
  await writeFile(
    photo,
    png(640, 480, (x, y) => [x % 256, y % 256, 120]),
  )
  await page.getByRole('link', { name: 'Create post' }).click()
  const choose = page.getByRole('button', { name: 'Choose a photo' })
  // The dialog is cancelled: nothing happens.
  await choose.click()
  await expect(choose).toBeEnabled()
  await app.chooseFile(photo)
  await choose.click()
  await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toBeVisible()
  await page.getByPlaceholder("What's on your mind?").fill('Above the clouds')
  await page.getByRole('button', { name: 'Share' }).click()

  const post = page.getByRole('article').filter({ hasText: 'Above the clouds' })
  await expect(post.getByRole('img').first()).toBeVisible()
  const like = post.getByRole('button', { name: 'Like', exact: true })
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')

  const again = await desktop.restart()
  const kept = again.page.getByRole('article').filter({ hasText: 'Above the clouds' })
  await expect(kept.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

test('a photo named on the command line starts a post, in an app that runs already and in one that does not', async ({
  desktop,
}) => {
  const photo = join(desktop.userData, 'gull.png')
  await writeFile(
    photo,
    png(320, 240, (x, y) => [y % 256, x % 256, 90]),
  )
  const app = await desktop.start()
  await signIn(app, await newMember(app))
  const chosen = { name: 'Your photo, as it will be posted' }
  await app.startAgain([photo])
  await expect(app.page.getByRole('img', chosen)).toBeVisible()

  await desktop.quit()
  const { page } = await desktop.start([photo])
  await expect(page.getByRole('img', chosen)).toBeVisible()
})
