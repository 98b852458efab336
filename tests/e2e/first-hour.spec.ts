import type { Page } from '@playwright/test'
import { fillSignUp, newcomer, passwordField } from './support/auth-forms'
import { signInMember } from './support/member'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

const card = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Your first steps' })

/** Creates an account on the page's server. Resolves on `/`, after the welcome. */
async function signUp(page: Page): Promise<ReturnType<typeof newcomer>> {
  const wanted = newcomer()
  await page.goto('/signup')
  await fillSignUp(page, wanted)
  await passwordField(page).press('Enter')
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page).toHaveURL('/')
  return wanted
}

test('FEED-23 a new member is led through picture, privacy and people, each to be done or skipped, once', async ({
  page,
  server,
  newMember,
}) => {
  const author = await newMember()
  await insertPosts(author, 1)
  const wanted = await signUp(page)

  await test.step('the picture can be skipped', async () => {
    await expect(card(page).getByRole('heading', { name: 'Add a picture of you' })).toBeVisible()
    await expect(card(page)).toContainText('Step 1 of 3')
    await expect(card(page)).toContainText('It is beside everything that you post and write.')
    await expect(card(page).getByRole('button', { name: 'Next' })).toBeDisabled()
    await card(page).getByRole('button', { name: 'Skip', exact: true }).click()
  })

  await test.step('public or private, each in a sentence', async () => {
    await expect(card(page).getByRole('heading', { name: 'Who sees your posts?' })).toBeVisible()
    await expect(card(page)).toBeFocused()
    await expect(card(page)).toContainText('You can change this in the settings at any time.')
    await expect(card(page).getByRole('radio', { name: 'Public' })).toBeChecked()
    await expect(card(page)).toContainText('Everyone here can see your posts.')
    await expect(card(page)).toContainText('Only people you approve can see your posts.')
    await card(page).getByRole('radio', { name: 'Private' }).check()
    await card(page).getByRole('button', { name: 'Next' }).click()
    const { api } = await signInMember(server.info, wanted)
    const stored = async () =>
      (await api.from('profiles').select('is_private').eq('username', wanted.username).single()).data
    await expect.poll(stored).toEqual({ is_private: true })
  })

  const aside = page.getByRole('complementary', { name: 'People, hashtags and messages' })
  const suggested = aside.getByRole('region', { name: 'People to follow' })
  await test.step('a reload goes on where the member was, and only the card shows people', async () => {
    await page.setViewportSize({ width: 1_600, height: 900 })
    await page.reload()
    await expect(card(page).getByRole('heading', { name: 'Follow a few people' })).toBeVisible()
    await expect(card(page)).toContainText('Their posts are then in Following.')
    const follow = card(page)
      .getByRole('button', { name: /^Follow / })
      .first()
    await follow.click()
    await expect(card(page).getByRole('button', { name: /^Unfollow / })).toBeVisible()
    await expect(aside.getByRole('link', { name: wanted.username })).toBeVisible()
    await expect(suggested).toHaveCount(0)
  })

  await test.step('the end is remembered', async () => {
    await card(page).getByRole('button', { name: 'Done' }).click()
    await expect(card(page)).toHaveCount(0)
    await expect(suggested).toBeVisible()
    await page.reload()
    await expect(page.getByRole('tab', { name: 'Everyone' })).toBeVisible()
    await expect(card(page)).toHaveCount(0)
  })
})
