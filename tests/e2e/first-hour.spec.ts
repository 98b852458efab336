import type { Page } from '@playwright/test'
import { parseServerLink } from '#/shared/server-link'
import { connect, fillSignUp, newcomer, passwordField } from './support/auth-forms'
import { createMember, signInMember } from './support/member'
import { insertPosts } from './support/posts'
import { startRemoteServer } from './support/remote-server'
import { expect, test } from './support/test'

const card = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Your first steps' })

/** Creates an account on the page's server. Resolves on `/`, after the welcome. */
async function signUp(page: Page, base = ''): Promise<ReturnType<typeof newcomer>> {
  const wanted = newcomer()
  await page.goto(`${base}/signup`)
  await fillSignUp(page, wanted)
  await passwordField(page).press('Enter')
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page).toHaveURL(`${base}/`)
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

test('FEED-23 all steps can be skipped at once, and members whose account is older never see them', {
  tag: '@long',
}, async ({ page, newMember, openAs }) => {
  await newMember()
  await signUp(page)
  await card(page).getByRole('button', { name: 'Skip all' }).click()
  await expect(card(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Everyone' })).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  const older = await openAs(await newMember())
  await older.goto('/')
  await expect(older.getByRole('tab', { name: 'Everyone' })).toBeVisible()
  await expect(card(older)).toHaveCount(0)
})

test('FEED-23 FEED-02 the first member sees so, what to do, and who joins next', async ({
  ownServer,
  page,
}) => {
  await signUp(page, ownServer.url)
  await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
  await expect(page.getByText('Start following people or create your first post!')).toBeVisible()
  await card(page).getByRole('button', { name: 'Skip all' }).click()
  await expect(card(page).getByRole('heading', { name: 'You are the first here' })).toBeVisible()
  await expect(card(page)).toContainText('Post a few photos, so that the next to come find something.')
  await expect(card(page)).toContainText('others who use this computer can create an account too')
  await expect(card(page)).toContainText('The first to join is announced here.')
  await expect(page.getByRole('link', { name: 'Create your first post' })).toHaveAttribute('href', '/create')

  const second = await createMember(ownServer.info)
  await page.reload()
  await expect(card(page).getByRole('heading', { name: `${second.username} has joined` })).toBeVisible()
  await expect(card(page)).toContainText('You are no longer alone here.')
  await card(page)
    .getByRole('button', { name: `Follow ${second.username}` })
    .click()
  await card(page).getByRole('button', { name: 'Close' }).click()
  await expect(card(page)).toHaveCount(0)
})

test('FEED-23 says so if there is nobody to suggest', { tag: '@long' }, async ({ ownServer, page }) => {
  const other = await createMember(ownServer.info)
  await other.api.from('profiles').update({ is_private: true }).eq('id', other.id).throwOnError()
  await signUp(page, ownServer.url)
  await card(page).getByRole('button', { name: 'Skip', exact: true }).click()
  await card(page).getByRole('button', { name: 'Skip', exact: true }).click()
  await expect(card(page)).toContainText('There is nobody to suggest yet. Explore shows who posts.')
})

test('FEED-23 DESK-08 the first member of a project passes on its address and key as a link and a QR code', {
  tag: '@long',
}, async ({ ownServer, page, server }) => {
  const remote = await startRemoteServer(ownServer)
  await page.goto('/login')
  await connect(page, remote.url, remote.publishableKey)
  await expect(page.getByRole('button', { name: `Server: ${new URL(remote.url).host}` })).toBeVisible()
  await signUp(page, server.url)
  await card(page).getByRole('button', { name: 'Skip all' }).click()
  await expect(card(page)).toContainText(
    'Pass this link on to the people you want here, or let them scan the code.',
  )
  await expect(card(page)).toContainText('They check both, connect, and create an account.')
  const link = await card(page).getByRole('textbox', { name: 'Link to this server' }).inputValue()
  expect(parseServerLink(link)).toEqual({ url: remote.url, publishableKey: remote.publishableKey })
  await expect(card(page).getByRole('img', { name: 'QR code of the link to this server' })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await card(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await remote.close()
})
