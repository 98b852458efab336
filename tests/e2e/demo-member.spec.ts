import { readPage } from '../../scripts/lib/packaged-app.mjs'
import { navigation } from './support/auth-forms'
import { expect, test } from './support/test'

test.use({ community: 'demo' })

test('DESK-08 AUTH-06 the try of a packaged app signs in on the sign-in screen as a demo member', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Look around as' }).first()).toBeVisible()
  expect(await page.evaluate(readPage, false)).toMatchObject({ isSignedIn: false })
  await page.evaluate(readPage, true)
  await expect(navigation(page)).toBeVisible()
  await expect.poll(() => page.evaluate(readPage, false)).toMatchObject({ isSignedIn: true })
})
