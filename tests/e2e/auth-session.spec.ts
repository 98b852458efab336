import {
  expireSession,
  fillSignIn,
  navigation,
  openAccountMenu,
  pressSignOut,
  readSession,
  signOut,
  storedSessions,
} from './support/auth-forms'
import { takeClock } from './support/clock'
import { failRequests, joined } from './support/network'
import { expect, test } from './support/test'

const REFRESH = /\/auth\/v1\/token\?grant_type=refresh_token/

test('AUTH-10 the session survives a reload, and closing and reopening the app', async ({
  context,
  newMember,
  openAs,
  page,
}) => {
  const member = await newMember()
  await page.goto('/login')
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(navigation(page)).toBeVisible()
  await page.reload()
  await expect(await openAccountMenu(page)).toContainText(member.username)

  const { origins } = await context.storageState()
  await page.close()
  const next = await openAs({ ...member, storage: origins.flatMap(({ localStorage }) => localStorage) })
  await next.goto('/')
  await expect(await openAccountMenu(next)).toContainText(member.username)
})

test('AUTH-10 AUTH-12 refreshes an access token that expires in use without a visible change', async ({
  newMember,
  openAs,
}) => {
  const member = await newMember()
  const page = await openAs(member)
  await page.goto('/')
  await expect(navigation(page)).toBeVisible()
  const before = await readSession(page)
  // A background request of the page may refresh the token before the click does.
  const refreshed = page.waitForResponse(REFRESH)
  await expireSession(page)
  const paths: string[] = []
  page.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname))
  let profileReads = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes(`/rest/v1/profiles?`)) profileReads += 1
  })

  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Profile' }).click()
  expect((await refreshed).status()).toBe(200)
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
  expect(paths).toEqual([`/profile/${member.username}`])
  // The profile screen reads the profile; the session does not read it again.
  expect(profileReads).toBe(1)
  const after = await readSession(page)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(after.expires_at).toBeGreaterThan(Date.now() / 1000)
})

test('AUTH-10 opens /login at start if the session can no longer be refreshed', {
  tag: '@long',
}, async ({ newMember, openAs, problems }) => {
  problems.expect(/status of 400.*\/auth\/v1\/token/)
  const page = await openAs(await newMember())
  // Expire the session on a page without the app, which would notice at once.
  await page.goto('/favicon.svg')
  await expireSession(page, { refresh_token: 'not-a-token-any-more' })
  await page.goto('/settings')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await storedSessions(page)).toEqual([])
})

test('AUTH-10 opens /login in use if the session can no longer be refreshed', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  // Requests at that moment run as a visitor, and are refused.
  problems.expect(/status of 40[01].*\/(auth|rest)\/v1\/|read \w+: (forbidden|session-expired)/)
  const page = await openAs(await newMember())
  const live = page.waitForEvent('websocket')
  await page.goto('/settings')
  // Wait for the live connection, which also reads the session.
  await live
  const menu = await openAccountMenu(page)
  await expireSession(page, { refresh_token: 'not-a-token-any-more' })
  // The click or a background request may be the first to notice.
  await Promise.any([menu.getByRole('menuitem', { name: 'Profile' }).click(), page.waitForURL('/login')])
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await storedSessions(page)).toEqual([])
})

test('AUTH-10 keeps an expired session while the server cannot be reached', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_REFUSED.*\/auth\/v1\/token/)
  const page = await openAs(await newMember())
  const clock = await takeClock(page)
  // Expire the session on a page without the app, which would refresh it at once.
  await page.goto('/favicon.svg')
  await expireSession(page)
  const restore = await failRequests(page, /\/(auth|rest)\/v1\//)
  await page.goto('/settings')
  // supabase-js retries for half a minute at growing intervals; the test advances the page's clock.
  const failure = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })
  await expect(async () => {
    await clock.pass(15)
    await expect(failure).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(page).toHaveURL('/settings')
  expect(await storedSessions(page)).not.toEqual([])

  await restore()
  await expect(async () => {
    await clock.pass(10)
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(page).toHaveURL('/settings')
})

test('AUTH-11 Sign Out opens /login, removes the stored session and closes the live connection', async ({
  newMember,
  openAs,
}) => {
  const member = await newMember()
  const page = await openAs(member)
  const live = joined(page)
  await page.goto('/')
  const menu = await openAccountMenu(page)
  await expect(menu.getByText(member.username, { exact: true })).toBeVisible()
  await expect(menu.getByText(member.fullName, { exact: true })).toBeVisible()
  const socket = await live
  expect(socket.isClosed()).toBe(false)
  const closed = socket.waitForEvent('close')
  expect(await storedSessions(page)).toHaveLength(1)
  const { refresh_token } = await readSession(page)
  const revoked = page.waitForResponse(/\/auth\/v1\/logout/)

  await pressSignOut(page)
  await expect(page).toHaveURL('/login')
  await expect(navigation(page)).toHaveCount(0)
  expect(await storedSessions(page)).toEqual([])
  expect((await revoked).ok()).toBe(true)
  await closed
  const { error } = await member.api.auth.refreshSession({ refresh_token })
  expect(error).not.toBeNull()
  await page.goBack()
  await page.goto('/')
  await expect(page).toHaveURL('/login')
})

test('AUTH-11 Sign Out works when the server cannot be reached', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_REFUSED.*\/auth\/v1\/logout/, /sign out: offline/)
  const page = await openAs(await newMember())
  await page.goto('/')
  await expect(navigation(page)).toBeVisible()
  await failRequests(page, /\/auth\/v1\//)
  await signOut(page)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await storedSessions(page)).toEqual([])
  await problems.arrived()
  await page.reload()
  await expect(page).toHaveURL('/login')
})

test('AUTH-11 Sign Out works at start while the server cannot be reached', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_REFUSED/, /load own profile: offline/, /sign out: offline/)
  const page = await openAs(await newMember())
  await failRequests(page, /\/(auth|rest)\/v1\//)
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/login')
  expect(await storedSessions(page)).toEqual([])
})

test('AUTH-12 AUTH-05 other windows follow a sign-out and a sign-in', { tag: '@long' }, async ({
  newMember,
  openAs,
}) => {
  const member = await newMember()
  const page = await openAs(member)
  await page.goto('/settings')
  await expect(navigation(page)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/')
  await signOut(other)
  await expect(page).toHaveURL('/login')
  await expect(navigation(page)).toHaveCount(0)

  await fillSignIn(other, member)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(navigation(other)).toBeVisible()
  await expect(navigation(page)).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('AUTH-11 a deleted account is signed out at the next start', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  const member = await newMember()
  const page = await openAs(member)
  await page.goto('/')
  await expect(navigation(page)).toBeVisible()
  // Close the app, so that it sends no requests meanwhile.
  await page.goto('about:blank')
  const { error } = await member.api.rpc('delete_account')
  expect(error).toBeNull()
  problems.expect(/status of 4\d\d/, /load own profile: /)
  await page.goto('/')
  await expect(page).toHaveURL('/login')
  expect(await storedSessions(page)).toEqual([])
})
