import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { navigation, signOut } from '../support/auth-forms'
import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

test('AUTH-10 DESK-01 a member signs in, and is signed in after the app was closed; the page never holds the session', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const member = await newMember(app)
  await signIn(app, member)
  const sessions = join(desktop.userData, 'sessions.json')
  const stored: unknown = JSON.parse(await readFile(sessions, 'utf8'))
  expect(stored).toMatchObject({ entries: { 'vignette.session.embedded': { kind: 'sealed' } } })
  const inPage = await app.page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(inPage).not.toContain('access_token')

  const { page } = await desktop.restart()
  await expect(navigation(page)).toBeVisible()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
})

test('AUTH-11 signing out removes the session from the disk, and a restart asks for the password', async ({
  desktop,
}) => {
  const app = await desktop.start()
  await signIn(app, await newMember(app))
  await signOut(app.page)
  await expect(app.page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  const sessions = join(desktop.userData, 'sessions.json')
  expect(JSON.parse(await readFile(sessions, 'utf8'))).toMatchObject({ entries: {} })

  const { page } = await desktop.restart()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})
