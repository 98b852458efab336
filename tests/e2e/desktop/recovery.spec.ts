import { navigation } from '../support/auth-forms'
import { write } from '../support/conversations'
import { longStep } from '../support/long-step'
import { field, message } from '../support/messages-page'
import { newPair, signIn } from './support/members'
import { persistence, staySignedIn, storedSession } from './support/session'
import { appPlatform, expect, test } from './support/test'

/**
 * Page errors while the server is down. Chromium reports a refused permission when a kept-alive loopback connection
 * drops during a request, because the retry repeats its local network check.
 */
const AWAY =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket|offline|`loopback` address space/

/** Restarting the server takes seconds, or longer on a busy machine. */
const RESTART = { timeout: 120_000 }

test('DESK-01 keeps the session off the disk without a keychain until the member accepts, and restarts a crashed backend', {
  tag: '@steps',
}, async ({ desktop }) => {
  // Disables the keychain on Linux; other systems always have one.
  const hasKeychain = appPlatform !== 'linux'
  const withoutKeychain = ['--password-store=basic']
  let app = await desktop.start(withoutKeychain)
  const { member, anna, id } = await newPair(app)
  await signIn(app, member)
  // Vault calls run in order, so any write of the session has finished.
  expect(await persistence(app.page)).toBe(hasKeychain ? 'secure' : 'memory')
  expect(await storedSession(desktop)).toBe(hasKeychain ? 'sealed' : 'none')
  await staySignedIn(app.page)
  expect(await persistence(app.page)).toBe(hasKeychain ? 'secure' : 'plain')
  await expect.poll(() => storedSession(desktop)).toBe(hasKeychain ? 'sealed' : 'plain')
  await longStep('a restart keeps the accepted session', async () => {
    // Quitting writes a snapshot first.
    await desktop.quit()
    app = await desktop.start(withoutKeychain)
    await expect(navigation(app.page)).toBeVisible()
  })

  const { page } = app
  const restarting = page.getByText('Vignette’s server stopped and is being restarted…')
  await test.step('the app restarts the backend', async () => {
    expect(desktop.problems.verdict()).toEqual([])
    desktop.problems.allow(AWAY)
    await app.startAgain([`vignette://messages/${id}`])
    await field(page).fill('Half a thought')

    await app.killBackend()
    await expect(restarting).toBeVisible()
    await expect(restarting).toBeHidden(RESTART)
    await write(anna, id, 'Back again?')
    await expect(message(page, 'Back again?')).toBeVisible(RESTART)
    await expect(field(page)).toHaveValue('Half a thought')
  })

  await longStep('the app offers a retry after a second crash within a minute', async () => {
    const failed = page.getByText('Vignette’s server does not start.')
    // The message may have taken more than a minute to arrive.
    await app.killBackend()
    await expect(restarting.or(failed)).toBeVisible()
    if (await restarting.isVisible()) {
      await expect(restarting).toBeHidden(RESTART)
      await app.killBackend()
    }
    await expect(failed).toBeVisible()
    await expect(page.getByRole('button', { name: 'Restore last snapshot' })).toBeVisible()
    await page.getByRole('button', { name: 'Show data folder' }).click()
    await expect.poll(app.openedPaths).toEqual([desktop.userData])
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(failed).toBeHidden(RESTART)
    await expect(field(page)).toHaveValue('Half a thought')
    await field(page).press('Enter')
    await expect(message(page, 'Half a thought')).toBeVisible()
  })
})
