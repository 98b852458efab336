import { expectPasswordToggle, fillSignIn, navigation, passwordField } from './support/auth-forms'
import { answerWith, failRequests, holdRequests } from './support/network'
import { expect, test } from './support/test'

const SIGN_IN = /\/auth\/v1\/token\?grant_type=password/

test('AUTH-06 AUTH-07 AUTH-14 requires an email and a password, keeps the typed values after a failure, and opens the feed after sign-in', async ({
  newMember,
  page,
  problems,
}) => {
  const member = await newMember()
  let requests = 0
  page.on('request', (request) => {
    if (SIGN_IN.test(request.url())) requests += 1
  })
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/signup')
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  const isInvalid = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => input.matches(':invalid'))

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

  expect(requests, 'no incomplete form was sent').toBe(0)

  await test.step('AUTH-06 the password can be shown and hidden', () => expectPasswordToggle(page))

  await test.step('AUTH-07 a wrong password shows the message of the service and keeps what was typed', async () => {
    problems.expect(/status of 400.*\/auth\/v1\/token/, /sign in: credentials/)
    await fillSignIn(page, { email: member.email, password: 'wrong horse' })
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText('Invalid login credentials')
    // The button gets its focus back after it was disabled.
    await expect(submit).toBeFocused()
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Email')).toHaveValue(member.email)
    await expect(passwordField(page)).toHaveValue('wrong horse')
    await problems.arrived()
  })

  await test.step('AUTH-14 the message of a 5xx response is shown', async () => {
    problems.expect(/status of 503.*\/auth\/v1\/token/, /sign in: server/)
    const maintenance = { status: 503, json: { msg: 'Service is under maintenance' } }
    const restore = await answerWith(page, SIGN_IN, maintenance)
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText('Service is under maintenance')
    await restore()
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
  expect(requests, 'only the complete forms were sent').toBe(3)
})

// Each failure has another message than the one before it, so that the test notices each alert.
const FAILURES = [
  {
    what: 'the service has no words',
    status: 400,
    json: {},
    says: 'An error occurred during login',
    logged: /sign in: refused/,
  },
  {
    what: 'the address is not confirmed yet',
    status: 400,
    json: { code: 'email_not_confirmed', msg: 'Email not confirmed' },
    says: 'Email not confirmed',
    logged: /sign in: refused/,
  },
  {
    what: 'the server is down',
    status: 503,
    json: {},
    says: 'An error occurred during login',
    logged: /sign in: server/,
  },
  {
    what: 'too many tries failed',
    status: 429,
    json: { code: 'over_request_rate_limit', msg: 'Request rate limit reached' },
    says: 'Request rate limit reached',
    logged: /sign in: rate-limited/,
  },
  {
    what: 'the service answers with markup',
    status: 400,
    json: { code: 'unexpected_failure', msg: '<script>alert(1)</script><img src=x onerror=alert(1)>' },
    says: '<script>alert(1)</script><img src=x onerror=alert(1)>',
    logged: /sign in: refused/,
  },
]

test('AUTH-07 AUTH-13 a failed sign-in shows the message of the service, or else of the form, and can be repeated', {
  tag: '@long',
}, async ({ page, problems }) => {
  await page.goto('/login')
  await fillSignIn(page, { email: 'mara@example.com', password: 'correct horse' })
  for (const { what, status, json, says, logged } of FAILURES) {
    problems.expect(new RegExp(`status of ${status}.*/auth/v1/token`), logged)
    const log = page.waitForEvent('console', (said) => logged.test(said.text()))
    const restore = await answerWith(page, SIGN_IN, { status, json })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await log
    await expect(page.getByRole('alert').getByText(says, { exact: true }), what).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('mara@example.com')
    await expect(passwordField(page)).toHaveValue('correct horse')
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
    await restore()
  }
})

test('AUTH-07 sign-in reports a lost connection, and works once it is back', {
  tag: '@long',
}, async ({ newMember, page, problems }) => {
  const member = await newMember()
  problems.expect(/ERR_CONNECTION_REFUSED.*\/auth\/v1\/token/, /sign in: offline/)
  await page.goto('/login')
  const restore = await failRequests(page, SIGN_IN)
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('An error occurred during login')
  await expect(alert).toContainText('The server cannot be reached. Check your connection and try again.')
  await expect(page.getByLabel('Email')).toHaveValue(member.email)
  await expect(passwordField(page)).toHaveValue(member.password)

  await restore()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/')
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
