import { fillSignUp, navigation, newcomer, passwordField } from './support/auth-forms'
import { stopTime } from './support/clock'
import { createApi } from './support/member'
import { holdRequests } from './support/network'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

const SIGN_UP = /\/auth\/v1\/signup/
const PROFILES = /\/rest\/v1\/profiles/

test('AUTH-08 AUTH-03 FEED-23 sign-up creates account and profile, shows its welcome for two seconds, and the first steps until they are done', {
  tag: '@smoke',
}, async ({ newMember, page, server }) => {
  await insertPosts(await newMember(), 1)
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

  const card = page.getByRole('main').getByRole('region', { name: 'Your first steps' })
  await card.getByRole('button', { name: 'Skip', exact: true }).click()
  await expect(card).toBeFocused()
  await card.getByRole('radio', { name: 'Private' }).check()
  await card.getByRole('button', { name: 'Next' }).click()
  const isPrivate = () => api.from('profiles').select('is_private').eq('username', wanted.username).single()
  await expect.poll(async () => (await isPrivate()).data).toEqual({ is_private: true })

  await test.step('a reload goes on where the member was, and only the card shows people', async () => {
    const aside = page.getByRole('complementary', { name: 'People, hashtags and messages' })
    const suggested = aside.getByRole('region', { name: 'People to follow' })
    await page.setViewportSize({ width: 1_600, height: 900 })
    await page.reload()
    await card
      .getByRole('button', { name: /^Follow / })
      .first()
      .click()
    await expect(card.getByRole('button', { name: /^Unfollow / })).toBeVisible()
    await expect(aside.getByRole('link', { name: wanted.username })).toBeVisible()
    await expect(suggested).toHaveCount(0)
    await card.getByRole('button', { name: 'Done' }).click()
    await expect(card).toHaveCount(0)
    await expect(suggested).toBeVisible()
  })
})
