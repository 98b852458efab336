import { texts } from '#/renderer/lib/texts'
import {
  expectPasswordToggle,
  expectSignUpForm,
  fillSignIn,
  fillSignUp,
  navigation,
  newcomer,
  openAccountMenu,
  passwordField,
} from './support/auth-forms'
import { stopTime } from './support/clock'
import { createApi } from './support/member'
import { answerWith, failRequests, holdRequests } from './support/network'
import { expect, test } from './support/test'

const SIGN_UP = /\/auth\/v1\/signup/
const PROFILES = /\/rest\/v1\/profiles/
const TAKEN = 'This username is taken. Choose another one.'

test('AUTH-08 AUTH-03 sign-up creates account and profile, and shows its welcome for two seconds', async ({
  page,
  server,
}) => {
  const wanted = newcomer({ fullName: '  Noor Haddad ', password: 'correct horse battery' })
  await page.clock.install()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByLabel('Full name')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  const account = await holdRequests(page, SIGN_UP)
  const profile = await holdRequests(page, PROFILES, { method: 'POST' })

  await fillSignUp(page, wanted)
  await passwordField(page).press('Enter')
  await account.arrived
  await expect(page.getByRole('button', { name: 'Signing up...', exact: true })).toBeDisabled()
  await account.release()
  await profile.arrived
  await stopTime(page)
  await profile.release()

  const welcome = page.getByRole('status').filter({ hasText: 'Account Created!' })
  await expect(welcome).toContainText('Welcome to Vignette! Redirecting you now...')
  await page.clock.runFor(1_999)
  await expect(welcome).toBeVisible()
  await expect(page).toHaveURL('/signup')
  await page.clock.runFor(1)
  await expect(page).toHaveURL('/')
  await page.clock.resume()
  await expect(navigation(page)).toBeVisible()

  const api = createApi(server.info)
  const { data, error } = await api.auth.signInWithPassword(wanted)
  expect(error).toBeNull()
  const row = await api
    .from('profiles')
    .select('id,username,full_name')
    .eq('id', data.user?.id ?? '')
    .single()
  expect(row.data).toEqual({ id: data.user?.id, username: wanted.username, full_name: 'Noor Haddad' })
})

test('AUTH-08 AUTH-09 AUTH-18 every field is required, a username is lowercased as it is typed, and a taken one and guessable passwords are rejected', async ({
  newMember,
  page,
}) => {
  const accounts: unknown[] = []
  page.on('request', (request) => {
    if (SIGN_UP.test(request.url())) accounts.push(request.postDataJSON())
  })
  await page.goto('/signup')
  await test.step('AUTH-08 the password can be shown and hidden', () => expectPasswordToggle(page))
  await page.getByLabel('Username').pressSequentially('Ada.Love_lace 1815!')
  await expect(page.getByLabel('Username')).toHaveValue('ada.love_lace1815')
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(texts.auth.usernameRejected('!'))
  await page.getByLabel('Username').press('a')
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(texts.auth.usernameHint)
  const whole = newcomer()
  const submit = page.getByRole('button', { name: 'Sign up', exact: true })
  const labels = { fullName: 'Full name', username: 'Username', email: 'Email', password: 'Password' }
  for (const [field, label] of Object.entries(labels)) {
    await fillSignUp(page, { ...whole, [field]: '' })
    await submit.click()
    await expect(page.getByLabel(label, { exact: true }), label).toBeFocused()
  }
  await fillSignUp(page, { ...whole, fullName: '   ' })
  await submit.click()
  await expect(page.getByLabel('Full name'), 'a blank name').toBeFocused()

  await test.step('AUTH-09 a taken username is rejected in any case, before the account is created', async () => {
    const { username } = await newMember()
    const taken = { ...newcomer(), username }
    await fillSignUp(page, { ...taken, username: username.toUpperCase() })
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText(TAKEN)
    await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
    await expectSignUpForm(page, taken)
    expect(accounts).toEqual([])
    await page.getByLabel('Username').fill(`${username}_2`)
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  await test.step('AUTH-18 a password that is too long, common or the member’s name is refused while it is typed', async () => {
    const { passwordProblems, passwordHint } = texts.auth
    const refusals = [
      ['密'.repeat(25), passwordProblems['too-long']],
      ['P@ssw0rd2026', passwordProblems.common],
      ['Noor.Haddad1!', passwordProblems['own-name']],
      [`${whole.username}${whole.username}`.slice(0, 70), passwordProblems['own-name']],
    ] as const
    for (const [password, words] of refusals) {
      await fillSignUp(page, { ...whole, password })
      await expect(page.getByRole('alert')).toHaveText(words)
      await expect(passwordField(page)).toHaveAccessibleDescription(words)
      await submit.click()
      await expect(submit).toBeEnabled()
      await expect(passwordField(page)).toHaveValue(password)
    }
    await passwordField(page).fill(whole.password)
    await expect(passwordField(page)).toHaveAccessibleDescription(passwordHint)
    expect(accounts).toEqual([])
  })

  await fillSignUp(page, { ...whole, username: await page.getByLabel('Username').inputValue() })
  await submit.click()
  await expect(page.getByText('Account Created!')).toBeVisible()
  expect(accounts, 'only the complete form was sent').toMatchObject([{ email: whole.email }])
})

test('AUTH-09 AUTH-03 a username taken at the insert leaves a form that can be sent again', {
  tag: '@long',
}, async ({ page, problems, server }) => {
  const wanted = newcomer()
  problems.expect(/status of 409.*\/rest\/v1\/profiles/, /load own profile: conflict/)
  await page.goto('/signup')
  const account = await holdRequests(page, SIGN_UP)
  await fillSignUp(page, wanted)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await account.arrived
  // The username was available when it was checked; now another member takes it.
  const winner = createApi(server.info)
  const { data } = await winner.auth.signUp({ email: `first.${wanted.email}`, password: wanted.password })
  const won = await winner
    .from('profiles')
    .insert({ id: data.user?.id ?? '', username: wanted.username, full_name: 'First Comer' })
  expect(won.error).toBeNull()
  await account.release()

  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(TAKEN)
  await expect(page.getByLabel('Username')).toHaveValue(wanted.username)
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(TAKEN)
  await page.goto('/')
  await expect(page).toHaveURL('/signup')

  await page.getByLabel('Username').fill(`${wanted.username}_2`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(await openAccountMenu(page)).toContainText(`${wanted.username}_2`)
})

const FAILURES = [
  {
    what: 'the service has no words',
    status: 400,
    json: {},
    says: 'An error occurred during sign up',
    logged: /sign up: refused/,
  },
  {
    what: 'the server is down',
    status: 503,
    json: {},
    says: 'An error occurred during sign up',
    logged: /sign up: server/,
  },
  {
    what: 'the mail cannot be sent',
    status: 500,
    json: { code: 'unexpected_failure', msg: 'Error sending confirmation email' },
    says: 'Error sending confirmation email',
    logged: /sign up: server/,
  },
]

test('AUTH-09 AUTH-14 a failed sign-up shows the message of a 5xx response, or else of the form, and keeps the input', {
  tag: '@long',
}, async ({ page, problems }) => {
  const wanted = newcomer()
  await page.goto('/signup')
  await fillSignUp(page, wanted)
  for (const { what, status, json, says, logged } of FAILURES) {
    problems.expect(new RegExp(`status of ${status}.*/auth/v1/signup`), logged)
    const log = page.waitForEvent('console', (said) => logged.test(said.text()))
    const restore = await answerWith(page, SIGN_UP, { status, json })
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await log
    await expect(page.getByRole('alert').getByText(says, { exact: true }), what).toBeVisible()
    await expectSignUpForm(page, wanted)
    await expect(page.getByRole('button', { name: 'Sign up', exact: true })).toBeEnabled()
    await restore()
  }
})

test('AUTH-09 shows the message of the service for a weak password and a known address', {
  tag: '@long',
}, async ({ newMember, page, problems }) => {
  const known = await newMember()
  problems.expect(/status of 422.*\/auth\/v1\/signup/, /sign up: weak-password/, /sign up: conflict/)
  await page.goto('/signup')
  const submit = page.getByRole('button', { name: 'Sign up', exact: true })
  const refusals = [
    [newcomer({ password: 'short' }), 'Password should be at least 8 characters.'],
    [newcomer({ email: known.email }), 'User already registered'],
  ] as const
  for (const [wanted, words] of refusals) {
    await fillSignUp(page, wanted)
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText(words)
    await expectSignUpForm(page, wanted)
  }
  await fillSignUp(page, newcomer())
  await submit.click()
  await expect(page.getByText('Account Created!')).toBeVisible()
})

test('AUTH-09 sign-up reports a lost connection, and works once it is back', {
  tag: '@long',
}, async ({ page, problems }) => {
  problems.expect(/ERR_CONNECTION_REFUSED.*username_available/, /sign up: offline/)
  const wanted = newcomer()
  await page.goto('/signup')
  const restore = await failRequests(page, /\/(auth|rest)\/v1\//)
  await fillSignUp(page, wanted)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('An error occurred during sign up')
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
  await expectSignUpForm(page, wanted)
  await restore()
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByText('Account Created!')).toBeVisible()
})

test('AUTH-08 reports texts over their limit instead of truncating them', { tag: '@long' }, async ({
  page,
}) => {
  const tooLong = {
    fullName: 'n'.repeat(81),
    username: 'u'.repeat(31),
    email: `${'e'.repeat(60)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`,
    password: 'correct horse',
  }
  await page.goto('/signup')
  await fillSignUp(page, tooLong)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText([
    'A name has at most 80 characters.',
    'A username has 3 to 30 letters (a–z), digits, dots or underscores, and no dot at either end.',
    'An email address has at most 254 characters.',
  ])
  await expectSignUpForm(page, tooLong)

  const fitting = newcomer({ fullName: '🎞'.repeat(80) })
  await fillSignUp(page, fitting)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByText('Account Created!')).toBeVisible()
})

test('AUTH-08 shows markup in every field as text', { tag: '@long' }, async ({ page }) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const markup = '<script>alert(1)</script><img src=x onerror=alert(2)>'
  const wanted = newcomer({ fullName: markup, password: '<b>correct</b><horse>' })
  await page.goto('/signup')
  await fillSignUp(page, { ...wanted, email: `<script>${wanted.email}` })
  await page.getByLabel('Username').fill('<script>')
  await expect(page.getByLabel('Username')).toHaveValue('script')
  await page.getByLabel('Username').fill(wanted.username)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  // An address with angle brackets is refused before anything is sent.
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill(wanted.email)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page).toHaveURL('/')
  const menu = await openAccountMenu(page)
  await expect(menu.getByText(markup, { exact: true })).toBeVisible()
  await menu.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page.getByRole('main').getByText(markup, { exact: true })).toBeVisible()
  await expect(page.locator('img[src="x"]')).toHaveCount(0)
  expect(dialogs).toEqual([])
})

test('AUTH-13 creates the profile at the first sign-in where addresses are confirmed by mail', async ({
  page,
  server,
}) => {
  const wanted = newcomer()
  const api = createApi(server.info)
  // The account is created; the response is replaced by GoTrue's response when confirmation is required: the user
  // without a session.
  let account: { options: { data: object } } | null = null
  await page.route(SIGN_UP, async (route) => {
    const { email, password, data } = route.request().postDataJSON()
    account = { options: { data } }
    const { data: made } = await api.auth.signUp({ email, password, options: { data } })
    await route.fulfill({ json: { ...made.user, confirmation_sent_at: new Date().toISOString() } })
  })
  await page.goto('/signup')
  await fillSignUp(page, wanted)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Check your mail' })).toContainText(
    `We sent a message to ${wanted.email}.`,
  )
  await expect(page).toHaveURL('/signup')
  expect(account).toEqual({ options: { data: { username: wanted.username, full_name: wanted.fullName } } })
  const { data: none } = await api.from('profiles').select('id').eq('username', wanted.username)
  expect(none).toEqual([])

  await page.getByRole('link', { name: 'Sign in' }).click()
  await fillSignIn(page, wanted)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/')
  const { data: row } = await api
    .from('profiles')
    .select('username,full_name')
    .eq('username', wanted.username)
    .single()
  expect(row).toEqual({ username: wanted.username, full_name: wanted.fullName })
})

test('AUTH-13 AUTH-03 asks for another username if it was taken before the first sign-in', {
  tag: '@long',
}, async ({ newMember, page, problems, server }) => {
  const { username } = await newMember()
  const wanted = newcomer()
  const { error } = await createApi(server.info).auth.signUp({
    email: wanted.email,
    password: wanted.password,
    options: { data: { username, full_name: wanted.fullName } },
  })
  expect(error).toBeNull()
  problems.expect(/status of 409.*\/rest\/v1\/profiles/, /load own profile: conflict/)

  await page.goto('/login')
  await fillSignIn(page, wanted)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/signup')
  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(TAKEN)
  await page.getByLabel('Username').fill('.dot')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('no dot at either end')
  await page.getByLabel('Username').fill(wanted.username)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/')
  await expect(await openAccountMenu(page)).toContainText(wanted.fullName)
})
