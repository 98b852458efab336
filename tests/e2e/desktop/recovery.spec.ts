import { startConversation, write } from '../support/conversations'
import { rows } from '../support/messages-page'
import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

/**
 * What the page says of a server that is away. Chromium calls it a refused permission when a kept connection to loopback
 * dies under a request: its check of the local network runs again for the second try.
 */
const AWAY =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket|offline|`loopback` address space/

test('a backend that dies is told quietly and comes back, with all there is; after three times the member is asked', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app)]
  await signIn(app, member)
  const { page } = app
  desktop.problems.expect(AWAY)
  const id = await startConversation(anna, member)
  await app.startAgain(['vignette://messages'])
  await expect(rows(page)).toHaveCount(1)

  const restarting = page.getByText('Vignette’s server stopped and is being restarted…')
  await app.killBackend()
  await expect(restarting).toBeVisible()
  await expect(restarting).toBeHidden({ timeout: 30_000 })
  await write(anna, id, 'Back again?')
  await expect(rows(page).first()).toContainText('Back again?', { timeout: 30_000 })

  const failed = page.getByText('Vignette’s server does not start.')
  await app.killBackend()
  await expect(restarting).toBeVisible()
  await expect(restarting).toBeHidden({ timeout: 30_000 })
  await app.killBackend()
  await expect(failed).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(failed).toBeHidden({ timeout: 30_000 })
})
