import type { Request } from '@playwright/test'
import {
  changeSession,
  expireSession,
  fillSignIn,
  navigation,
  openAccountMenu,
  passwordField,
  readSession,
  signOut,
  storedSessions,
} from './support/auth-forms'
import { takeClock } from './support/clock'
import { onDisk } from './support/disk-cache'
import { nextFrames } from './support/frames'
import { longStep } from './support/long-step'
import { mailedCode } from './support/mail'
import { answerWith, failRequests, holdRequests, joined } from './support/network'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

const REFRESH = /\/auth\/v1\/token\?grant_type=refresh_token/

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
  const profileReads: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes(`/rest/v1/profiles?`)) profileReads.push(request)
  })

  await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Profile' }).click()
  expect((await refreshed).status()).toBe(200)
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
  expect(paths).toEqual([`/profile/${member.username}`])
  // The profile screen, which shows what is known first, reads the profile; the session does not read it again.
  await expect.poll(async () => (await profileReads[0]?.response())?.status()).toBe(200)
  await nextFrames(page)
  expect(profileReads).toHaveLength(1)
  const after = await readSession(page)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(after.expires_at).toBeGreaterThan(Date.now() / 1000)
})

test('AUTH-10 opens /login in use if the session can no longer be refreshed', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  // Requests at that moment run as a visitor, and are refused.
  problems.expect(/status of 40[01].*\/(auth|rest)\/v1\/|read [\w -]+: (forbidden|session-expired)/)
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

test('ACC-05 with a clock that is two hours fast, the token is refreshed once and a new post was written just now', {
  tag: '@long',
}, async ({ newMember, openAs }) => {
  const member = await newMember()
  const [post] = await insertPosts(member, 1)
  const page = await openAs(member)
  let refreshes = 0
  page.on('request', (request) => {
    if (REFRESH.test(request.url())) refreshes += 1
  })
  await page.clock.install({ time: Date.now() + 2 * 60 * 60_000 })
  const card = page.locator(`article[data-post="${post}"]`)
  for (let start = 0; start < 2; start += 1) {
    await page.goto('/')
    await expect(card.locator('time')).toHaveText('just now')
    await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
  }
  // The stored session is of a right clock.
  expect(refreshes).toBeLessThanOrEqual(1)
})

test('ACC-05 a damaged session opens the app; an odd answer to a refresh keeps it, and Sign Out is offered after a minute', {
  tag: '@long',
}, async ({ newMember, openAs, problems }) => {
  problems.expect(/status of 403.*\/auth\/v1\/token/, /refresh session: unexpected response 403/)
  problems.expect(/load own profile: offline/, /sign out: refused/)
  const member = await newMember()
  const [post] = await insertPosts(member, 1)
  const page = await openAs(member)
  const clock = await takeClock(page)
  const card = page.locator(`article[data-post="${post}"]`)
  await page.goto('/favicon.svg')
  await changeSession(page, { user: { id: member.id } })
  await page.goto('/')
  await expect(card).toBeVisible()
  await expect
    .poll(() => onDisk(page))
    .toEqual(expect.arrayContaining([`["post","${post}"]`, '["own profile"]']))

  // Expire the session on a page without the app, which would refresh it at once.
  await page.goto('/favicon.svg')
  await expireSession(page)
  await answerWith(page, REFRESH, { status: 403, json: { message: 'Sign in to this network' } })
  await page.goto('/')
  await expect(card).toBeVisible()
  const banner = page.locator('[data-connection=lost]')
  const offer = banner.getByRole('button', { name: 'Sign Out' })
  await expect(async () => {
    await clock.pass(2)
    await expect(banner).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(offer).toHaveCount(0)
  await expect(async () => {
    await clock.pass(10)
    await expect(offer).toBeVisible({ timeout: 100 })
  }).toPass()
  await expect(card).toBeVisible()
  expect(await storedSessions(page)).toHaveLength(1)

  await offer.click()
  await expect(page).toHaveURL('/login')
  expect(await storedSessions(page)).toEqual([])
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

for (const token of ['valid', 'expired'])
  test(`AUTH-11 AUTH-12 Sign Out with a token that is ${token} ends all windows at once while the server does not answer`, {
    tag: token === 'valid' ? '@long' : [],
  }, async ({ newMember, openAs, problems, server }) => {
    problems.allow(/sign out: offline/)
    const page = await openAs(await newMember())
    const other = await page.context().newPage()
    for (const window of [page, other]) {
      await window.goto('/')
      await expect(navigation(window)).toBeVisible()
    }
    const held = await Promise.all(
      [page, other].map((window) => holdRequests(window, /auth\/v1\/(token|logout)/)),
    )
    const { access_token } = await readSession(page)
    if (token === 'expired') await expireSession(page)
    await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
    for (const window of [page, other]) {
      await expect(window).toHaveURL('/login')
      await expect(window.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    }
    expect(await storedSessions(page)).toEqual([])
    for (const { release } of held) await release()
    if (token === 'expired') return
    // The request has outlived the page.
    const headers = { apikey: server.info.publishableKey, Authorization: `Bearer ${access_token}` }
    await expect
      .poll(async () => (await fetch(`${server.info.url}/auth/v1/user`, { headers })).status)
      .toBe(403)
  })

test('AUTH-12 AUTH-05 other windows follow a sign-out and a sign-in', { tag: '@long' }, async ({
  newMember,
  openAs,
  problems,
}) => {
  // Reads that are under way.
  problems.allow(/session-expired/)
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

test('AUTH-19 devices are asked about a new one, can sign it out, and it says what was changed', {
  tag: '@steps',
}, async ({ newMember, openAs, page: other, problems, server }) => {
  const member = await newMember()
  const page = await openAs(member)
  const registered = page.waitForResponse(/rpc\/register_device/)
  const joining = joined(page)
  await page.goto('/settings')
  await Promise.all([registered, joining])
  const submit = other.getByRole('button', { name: 'Sign in', exact: true })
  const signIn = async (email: string, password: string) => {
    await fillSignIn(other, { email, password })
    // A session that ends before its live channel is joined would log the refusal.
    const live = joined(other)
    await submit.click()
    await live
    await other.waitForLoadState('networkidle')
  }
  const notice = other.getByRole('status').filter({ hasText: 'This device was signed out' })
  const section = page.getByRole('region', { name: 'Sign-in and devices' })

  await other.goto('/login')
  await signIn(member.email, member.password)
  const question = page.getByRole('status').filter({ hasText: 'Was this you?' })
  await expect(question).toHaveText(/^New sign-in: \w+ on Linux, .+\. Was this you\?/)
  await expect(other.getByText('Was this you?')).toHaveCount(0)
  await question.getByRole('button', { name: 'It was me' }).click()
  await expect(question).toHaveCount(0)

  // The device that is signed out notices at once.
  problems.expect(/status of 403.*\/auth\/v1\/user/)
  await section.getByRole('button', { name: /^Sign out \w+ on Linux/ }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Sign out this device?' })
  await confirmation.getByRole('button', { name: 'Sign out' }).click()
  await expect(section.getByText('You are signed in on this device only.')).toBeVisible()
  await expect(other).toHaveURL('/login')
  await expect(notice).toHaveText(/^This device was signed out on .+\.$/)

  await signIn(member.email, member.password)
  await section.getByRole('button', { name: 'Change password' }).click()
  await passwordField(page, 'New password').fill('a longer horse')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password has been changed. Other devices are signed out.')).toBeVisible()
  await expect(notice).toContainText(/^Your password was changed on /)

  await longStep(
    'a changed e-mail ends the other session, and the former address recovers the account',
    async () => {
      await signIn(member.email, 'a longer horse')
      await section.getByRole('button', { name: 'Change e-mail' }).click()
      await page.getByLabel('New e-mail').fill(`new.${member.email}`)
      await page.keyboard.press('Enter')
      await expect(notice).toContainText(/^Your e-mail was changed on .+ enter your former e-mail\./)

      await other.getByRole('button', { name: 'Forgot password?' }).click()
      await other.getByLabel('Email').fill(member.email)
      await other.getByRole('button', { name: 'Send code' }).click()
      const code = other.getByLabel('Code from the mail')
      await expect(code).toBeVisible()
      await code.fill(await mailedCode(server, member.email))
      await passwordField(other, 'New password').fill('the longest horse')
      await page.waitForLoadState('networkidle')
      await other.keyboard.press('Enter')
      await expect(navigation(other)).toBeVisible()
      await expect(page).toHaveURL('/login')
      await expect(page.getByRole('status').filter({ hasText: /^Your e-mail was changed/ })).toBeVisible()
      await other.goto('/settings')
      await expect(other.getByText(`You sign in as ${member.email}`, { exact: true })).toBeVisible()
    },
  )
})
