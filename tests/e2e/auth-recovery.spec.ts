import type { Page } from '@playwright/test'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { texts } from '#/renderer/lib/texts'
import { fillSignIn, navigation, passwordField, storedSessions } from './support/auth-forms'
import { longStep } from './support/long-step'
import { mailedCode, mailedLink } from './support/mail'
import { createApi, type Member } from './support/member'
import { answerWith } from './support/network'
import { expect, test } from './support/test'

const CODE_WRONG = 'This code is wrong or has expired. Ask for a new one if need be.'

/** Returns another code than this one. */
const otherThan = (code: string): string => (code === '111111' ? '222222' : '111111')

/** Requests a code on the open login screen. */
async function askForCode(page: Page, { email }: Pick<Member, 'email'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  // The form keeps the address that was typed to sign in.
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
}

/** Fills in the last step of a recovery, which opens a session. */
async function setNewPassword(page: Page): Promise<void> {
  await passwordField(page, 'New password').fill('a new horse')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(navigation(page)).toBeVisible()
}

test('AUTH-12 AUTH-17 AUTH-18 the code from the mail, which can be sent again, sets a new password that is not common', async ({
  newMember,
  page,
  problems,
  server,
}) => {
  const member = await newMember()
  problems.expect(/status of 403.*\/auth\/v1\/verify/, /set a new password: code-wrong/)
  problems.expect(/status of 422.*\/auth\/v1\/user/, /set a new password: weak-password/)
  await page.goto('/login')
  await askForCode(page, member)
  await expect(page.getByText(`If ${member.email} belongs to an account`)).toBeVisible()
  await expect(page.getByText(server.info.mailFile ?? '', { exact: true })).toBeVisible()
  const code = await mailedCode(server, member.email)

  await test.step('AUTH-17 a new code can be sent, but not within a minute of the last one', async () => {
    problems.expect(/status of 429.*\/auth\/v1\/recover/, /ask for a recovery code: rate-limited/)
    const again = page.getByRole('button', { name: 'Send a new code' })
    await again.click()
    await expect(page.getByRole('alert')).toContainText('you can only request this after')
    expect(await mailedCode(server, member.email)).toBe(code)

    const sent = await answerWith(page, /auth\/v1\/recover/, { status: 200, json: {} })
    await again.click()
    await expect(page.getByRole('status').filter({ hasText: 'A new code is on its way.' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await sent()

    // A member who closed the page returns with the code.
    await page.reload()
    await page.getByLabel('Email').fill(member.email)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'I have a code' }).click()
  })

  const submit = page.getByRole('button', { name: 'Set new password' })

  await page.getByLabel('Code from the mail').fill(otherThan(code))
  await passwordField(page, 'New password').fill('a new horse')
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText(CODE_WRONG)
  await expect(page.getByLabel('Code from the mail')).toHaveValue(otherThan(code))
  await expect(passwordField(page, 'New password')).toHaveValue('a new horse')
  expect(await storedSessions(page)).toEqual([])

  // The right code opens a session; a weak password keeps it on this screen.
  await page.getByLabel('Code from the mail').fill(code)
  await passwordField(page, 'New password').fill('short')
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Password should be at least 8 characters.')
  await expect(page.getByLabel('Code from the mail')).toHaveCount(0)
  await expect(passwordField(page, 'New password')).toHaveValue('short')
  await expect(page).toHaveURL('/login')
  await expect(navigation(page)).toHaveCount(0)

  // By now the member is known.
  for (const [password, words] of [
    ['password2026', texts.auth.passwordProblems.common],
    [`${member.fullName}!`, texts.auth.passwordProblems['own-name']],
    ['密'.repeat(25), texts.auth.passwordProblems['too-long']],
  ] as const) {
    await passwordField(page, 'New password').fill(password)
    await expect(page.getByRole('alert').last()).toHaveText(words)
    await submit.click()
    await expect(passwordField(page, 'New password')).toHaveAccessibleDescription(words)
  }

  await passwordField(page, 'New password').fill('a new horse')
  await submit.click()
  await expect(page).toHaveURL('/')
  await expect(navigation(page)).toBeVisible()

  const api = createApi(server.info)
  const old = await api.auth.signInWithPassword(member)
  expect(old.error?.code).toBe('invalid_credentials')
  const renewed = await api.auth.signInWithPassword({ email: member.email, password: 'a new horse' })
  expect(renewed.error).toBeNull()
})

test('AUTH-12 AUTH-17 a member who forgot the password signs in with the code of the mail', {
  tag: ['@long', '@server', '@code-mail'],
}, async ({ newMember, page, server }) => {
  const member = await newMember()
  await page.goto('/login')
  await askForCode(page, member)
  await page.getByLabel('Code from the mail').fill(await mailedCode(server, member.email))
  await setNewPassword(page)
  const renewed = await createApi(server.info).auth.signInWithPassword({ ...member, password: 'a new horse' })
  expect(renewed.error).toBeNull()
})

test('AUTH-12 AUTH-17 a member who forgot the password signs in with the link of the mail', {
  tag: ['@long', '@server'],
}, async ({ newMember, page, server }) => {
  const member = await newMember()
  await page.goto('/login')
  await askForCode(page, member)
  await page.goto('about:blank')
  await page.goto(await mailedLink(server, member.email))
  await expect(page.getByLabel('Code from the mail')).toHaveCount(0)
  await setNewPassword(page)
  const renewed = await createApi(server.info).auth.signInWithPassword({ ...member, password: 'a new horse' })
  expect(renewed.error).toBeNull()
})

/** The fragment of a recovery link with tokens of two sessions. */
const fragmentOf = (access: string, refresh: string) =>
  `#access_token=${access}&refresh_token=${refresh}&token_type=bearer&type=recovery`

test('AUTH-17 AUTH-18 a recovery link opens the step for a new password; expired, forged and foreign links are refused', async ({
  newMember,
  other,
  page,
  problems,
  server,
}) => {
  const member = await newMember()
  await page.goto('/login#error=access_denied&error_code=otp_expired&error_description=expired')
  await expect(page.getByRole('alert')).toHaveText('This link is invalid or has expired. Ask for a new one.')
  await expect(page).toHaveURL('/login')
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await askForCode(page, member)
  await createApi(server.info).auth.resetPasswordForEmail(other.email)
  await page.goto('about:blank')
  await page.goto(await mailedLink(server, other.email))
  await expect(page.getByRole('alert')).toHaveText(
    'This link was not asked for here. Ask for a new one on this computer, then open it here.',
  )
  expect(await storedSessions(page)).toEqual([])

  await test.step('AUTH-18 no link signs in to the account of the attacker who made it', async () => {
    problems.expect(/status of 40[13].*\/auth\/v1\/user/)
    const { data: own } = await member.api.auth.getSession()
    const { data: foreign } = await other.api.auth.getSession()
    const attacker = foreign.session?.refresh_token ?? ''
    const forged = new UnsecuredJWT({ ...decodeJwt(own.session?.access_token ?? ''), exp: 1 }).encode()
    const links = [
      [fragmentOf(`${forged}eA`, attacker), 'This link is invalid or has expired. Ask for a new one.'],
      [fragmentOf(own.session?.access_token ?? '', attacker), 'This link was not asked for here.'],
    ] as const
    for (const [fragment, refusal] of links) {
      await page.goto('about:blank')
      await page.goto(`/login${fragment}`)
      await expect(page.getByRole('alert')).toContainText(refusal)
      await expect(passwordField(page, 'New password')).toHaveCount(0)
      await expect(navigation(page)).toHaveCount(0)
      expect(await storedSessions(page)).toEqual([])
    }
  })

  await page.goto('about:blank')
  await page.goto(await mailedLink(server, member.email))
  await expect(page.getByLabel('Code from the mail')).toHaveCount(0)
  await passwordField(page, 'New password').fill('a new horse')
  await expect(page).toHaveURL('/login')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(navigation(page)).toBeVisible()

  await page.goto('about:blank')
  await page.goto('/#access_token=a.b.c&refresh_token=d&type=recovery')
  await expect(page.getByText('Sign out first, then open the link from the mail again.')).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('AUTH-03 AUTH-12 recovery does not reveal whether an address has an account, holds /login while open, and signs out when left', {
  tag: '@steps',
}, async ({ newMember, page, problems, server }) => {
  const [known, member] = [await newMember(), await newMember()]
  await test.step('the response does not reveal whether an address has an account', async () => {
    expect((await known.api.auth.resetPasswordForEmail(known.email)).error).toBeNull()
    expect(await mailedCode(server, known.email)).toMatch(/^\d{6}$/)
    const nobody = { email: `nobody.${Date.now()}@example.com` }
    problems.expect(/status of 403.*\/auth\/v1\/verify/, /set a new password: code-wrong/)
    await page.goto('/login')
    await askForCode(page, nobody)
    await expect(page.getByText(`If ${nobody.email} belongs to an account`)).toBeVisible()
    await expect(mailedCode(server, nobody.email)).rejects.toThrow('No code was mailed to')
    await page.getByLabel('Code from the mail').fill('123456')
    await passwordField(page, 'New password').fill('a new horse')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page.getByRole('alert')).toHaveText(CODE_WRONG)
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(nobody.email)
  })

  await longStep('an open recovery holds /login, and leaving it signs out', async () => {
    problems.expect(/status of 422.*\/auth\/v1\/user/, /set a new password: weak-password/)
    await askForCode(page, member)
    await page.getByLabel('Code from the mail').fill(await mailedCode(server, member.email))
    await passwordField(page, 'New password').fill('short')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page.getByRole('alert')).toHaveText('Password should be at least 8 characters.')
    expect(await storedSessions(page)).toHaveLength(1)
    // While the recovery is open, the link to /signup leads back to its screen.
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/login')
    await expect(passwordField(page, 'New password')).toBeVisible()

    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/login')
    expect(await storedSessions(page)).toEqual([])
    await fillSignIn(page, member)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/')
  })
})

test('AUTH-12 finishing a recovery in one window finishes it in all', { tag: '@long' }, async ({
  newMember,
  page,
  problems,
  server,
}) => {
  const member = await newMember()
  problems.expect(/status of 422.*\/auth\/v1\/user/, /set a new password: weak-password/)
  const other = await page.context().newPage()
  await other.goto('/login')
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await page.goto('/login')
  await askForCode(page, member)
  await page.getByLabel('Code from the mail').fill(await mailedCode(server, member.email))
  await passwordField(page, 'New password').fill('short')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(passwordField(other, 'New password')).toBeVisible()
  await passwordField(page, 'New password').fill('a new horse')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(navigation(page)).toBeVisible()
  await expect(navigation(other)).toBeVisible()
  await expect(other).toHaveURL('/')
})

test('AUTH-12 AUTH-18 a recovery that another window leaves ends, and the page says so', async ({
  newMember,
  page,
  problems,
  server,
}) => {
  const [member, next] = [await newMember(), await newMember()]
  problems.expect(/status of 422.*\/auth\/v1\/user/, /set a new password: weak-password/)
  const other = await page.context().newPage()
  await other.goto('/login')
  await page.goto('/login')
  await askForCode(page, member)
  await page.getByLabel('Code from the mail').fill(await mailedCode(server, member.email))
  await passwordField(page, 'New password').fill('short')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByRole('alert')).toHaveText('Password should be at least 8 characters.')
  await expect(passwordField(other, 'New password')).toBeVisible()
  await other.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(page.getByText(texts.auth.recoveryLost)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await fillSignIn(other, next)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(navigation(other)).toBeVisible()
  await expect(navigation(page)).toBeVisible()
})
