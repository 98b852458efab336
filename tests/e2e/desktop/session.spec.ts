import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { navigation, signOut } from '../support/auth-forms'
import { newMember, signIn } from './support/members'
import { type Desktop, expect, test } from './support/test'

const KEY = 'vignette.session.embedded'

/** The member's session as it is on disk: sealed by the keychain, in plain text, or not at all. */
async function storedSession({ userData }: Desktop): Promise<string> {
  const text = await readFile(join(userData, 'sessions.json'), 'utf8').catch(() => '{"entries":{}}')
  const { entries }: { entries: Record<string, { kind: string }> } = JSON.parse(text)
  return entries[KEY]?.kind ?? 'none'
}

async function persistence(page: Page) {
  return page.evaluate(() => window.desktop?.session.persistence())
}

/** Where there is no keychain the member is told, and may stay signed in all the same. */
async function staySignedIn(page: Page): Promise<void> {
  if ((await persistence(page)) !== 'memory') return
  await expect(page.getByText('This system offers no keychain')).toBeVisible()
  await page.getByRole('button', { name: 'Keep me signed in anyway' }).click()
  await expect(page.getByText('This system offers no keychain')).toBeHidden()
}

test('AUTH-10 AUTH-11 DESK-01 a restart keeps the member signed in, without a session in the page; signing out removes it from the disk', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const member = await newMember(app)
  await signIn(app, member)
  await staySignedIn(app.page)
  const kind = (await persistence(app.page)) === 'secure' ? 'sealed' : 'plain'
  await expect.poll(() => storedSession(desktop)).toBe(kind)
  expect(await app.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('access_token')

  const { page } = await desktop.restart()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
  expect(await storedSession(desktop)).toBe(kind)

  await signOut(page)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => storedSession(desktop)).toBe('none')
  const last = await desktop.restart()
  await expect(last.page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('DESK-01 without a keychain the session stays off the disk, until the member chooses to keep it', async ({
  desktop,
}) => {
  // Linux's way to have none; the other systems always have one.
  const hasKeychain = process.platform !== 'linux'
  const withoutKeychain = ['--password-store=basic']
  const app = await desktop.start(withoutKeychain)
  await signIn(app, await newMember(app))
  // The vault answers in turn: the session has been written by then, if it is going to be.
  expect(await persistence(app.page)).toBe(hasKeychain ? 'secure' : 'memory')
  expect(await storedSession(desktop)).toBe(hasKeychain ? 'sealed' : 'none')
  await staySignedIn(app.page)
  expect(await persistence(app.page)).toBe(hasKeychain ? 'secure' : 'plain')
  await expect.poll(() => storedSession(desktop)).toBe(hasKeychain ? 'sealed' : 'plain')
  await desktop.quit()
  const { page } = await desktop.start(withoutKeychain)
  await expect(navigation(page)).toBeVisible()
})
