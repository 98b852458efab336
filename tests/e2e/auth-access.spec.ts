import { expireSession, navigation } from './support/auth-forms'
import { holdRequests } from './support/network'
import { expect, test } from './support/test'

const GUARDED = ['/', '/create', '/profile/x', '/edit-profile', '/settings', '/messages']

test('AUTH-01 signed out, every address of a guarded route opens /login', { tag: '@long' }, async ({
  context,
}) => {
  for (const route of GUARDED) {
    // A separate window for each route, because the test goes back in its history.
    const page = await context.newPage()
    await page.goto('/signup')
    await expect(page.getByRole('button', { name: 'Sign up' })).toBeVisible()
    await page.goto(route)
    await expect(page, route).toHaveURL('/login')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

    await page.goBack()
    await expect(page, route).toHaveURL('/signup')
    await page.goForward()
    await expect(page, route).toHaveURL('/login')
    await page.close()
  }
})

test('AUTH-02 shows a spinner while a session is refreshed at start', { tag: '@long' }, async ({
  newMember,
  openAs,
}) => {
  const page = await openAs(await newMember())
  // Expire the session on a page without the app, which would refresh it at once and cache its content.
  await page.goto('/favicon.svg')
  await expireSession(page)
  const refresh = await holdRequests(page, /\/auth\/v1\/token\?grant_type=refresh_token/)

  await page.goto('/settings')
  await refresh.arrived
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(navigation(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toHaveCount(0)
  await expect(page).toHaveURL('/settings')

  await refresh.release()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})
