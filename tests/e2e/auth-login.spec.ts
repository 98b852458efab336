import {
  fillSignIn,
  navigation,
  openAccountMenu,
  passwordField,
  pressSignOut,
  readSession,
  storedSessions,
} from './support/auth-forms'
import { failRequests, holdRequests, joined } from './support/network'
import { expect, test } from './support/test'

const SIGN_IN = /\/auth\/v1\/token\?grant_type=password/

test('AUTH-06 AUTH-07 AUTH-10 AUTH-11 a member signs in by the form, stays signed in after a reload and a restart, and signs out', {
  tag: '@smoke',
}, async ({ context, newMember, openAs, page, problems }) => {
  const member = await newMember()
  let requests = 0
  page.on('request', (request) => {
    if (SIGN_IN.test(request.url())) requests += 1
  })
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Email')).toBeFocused()
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  const isInvalid = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => input.matches(':invalid'))

  await test.step('AUTH-06 an incomplete form is not sent', async () => {
    await submit.click()
    expect(await isInvalid('Email')).toBe(true)
    expect(await isInvalid('Password')).toBe(true)
    await fillSignIn(page, { email: 'mara', password: 'correct horse' })
    await submit.click()
    await expect(page.getByLabel('Email')).toBeFocused()
    expect(await isInvalid('Email')).toBe(true)
    await fillSignIn(page, { email: 'mara@example.com', password: '' })
    await submit.click()
    await expect(passwordField(page)).toBeFocused()
    await expect(submit).toBeEnabled()
    expect(requests).toBe(0)
  })

  await test.step('AUTH-07 a wrong password shows the message of the service and keeps what was typed', async () => {
    problems.expect(/status of 400.*\/auth\/v1\/token/, /sign in: credentials/)
    await fillSignIn(page, { email: member.email, password: 'wrong horse' })
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText('Invalid login credentials')
    // The button gets its focus back after it was disabled.
    await expect(submit).toBeFocused()
    await expect(page).toHaveURL('/login')
    await expect(passwordField(page)).toHaveValue('wrong horse')
    await problems.arrived()
  })

  const request = await holdRequests(page, SIGN_IN)
  await fillSignIn(page, member)
  await passwordField(page).press('Enter')
  await request.arrived
  await expect(page.getByRole('button', { name: 'Signing in...', exact: true })).toBeDisabled()
  await expect(submit).toHaveCount(0)
  await request.release()
  await expect(page).toHaveURL('/')
  await expect(navigation(page)).toBeVisible()
  expect(requests, 'only the complete forms were sent').toBe(2)
  await page.reload()
  await expect(await openAccountMenu(page)).toContainText(member.username)

  const { origins } = await context.storageState()
  await page.close()
  const next = await openAs({ ...member, storage: origins.flatMap(({ localStorage }) => localStorage) })
  const live = joined(next)
  await next.goto('/')
  const menu = await openAccountMenu(next)
  await expect(menu.getByText(member.username, { exact: true })).toBeVisible()
  await expect(menu.getByText(member.fullName, { exact: true })).toBeVisible()

  await test.step('AUTH-11 Sign Out opens /login, removes the stored session and ends the document with its live connection', async () => {
    const socket = await live
    expect(socket.isClosed()).toBe(false)
    await next.evaluate(() => Object.assign(window, { isFirstDocument: true }))
    expect(await storedSessions(next)).toHaveLength(1)
    const { refresh_token } = await readSession(next)
    const revoked = next.waitForResponse(/\/auth\/v1\/logout/)
    await pressSignOut(next)
    await expect(next).toHaveURL('/login')
    await expect(navigation(next)).toHaveCount(0)
    expect(await storedSessions(next)).toEqual([])
    expect((await revoked).ok()).toBe(true)
    // The connection ends with its document, after which Playwright reports nothing of it.
    expect(await next.evaluate(() => 'isFirstDocument' in window)).toBe(false)
    const { error } = await member.api.auth.refreshSession({ refresh_token })
    expect(error).not.toBeNull()
    await next.goBack()
    await next.goto('/')
    await expect(next).toHaveURL('/login')
  })
})

test('AUTH-07 shows that the profile cannot be read after sign-in, retries and continues', {
  tag: '@long',
}, async ({ newMember, openAs, problems }) => {
  const page = await openAs(await newMember())
  problems.expect(/ERR_CONNECTION_REFUSED.*\/rest\/v1\/profiles/, /load own profile: offline/)
  const restore = await failRequests(page, /\/rest\/v1\/profiles\?/)
  await page.goto('/settings')
  await expect(page.getByRole('alert')).toHaveText(
    'The server cannot be reached. Check your connection and try again.',
  )
  await expect(navigation(page)).toHaveCount(0)
  await restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect(page).toHaveURL('/settings')
})
