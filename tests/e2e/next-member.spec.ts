import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { fillSignIn, navigation, openAccountMenu, signOut } from './support/auth-forms'
import { chooseFiles } from './support/files'
import { holdAnswers } from './support/network'
import { png } from './support/png'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'

const { composer, settings } = texts
const PHOTO = { name: 'red.png', mimeType: 'image/png', buffer: png(300, 200, () => [200, 30, 30]) }
const OBJECT = /\/storage\/v1\/object\/media\//
const CLEAR = /\/rest\/v1\/rpc\/clear_account/

/** Marks the page's document; `isMarked` tells whether it is still there, with all that its script has begun. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window)

/** The addresses to which Back and Forward lead, and the present one. */
const addresses = (page: Page) =>
  page.evaluate(() => window.navigation.entries().map(({ url }) => new URL(url ?? '').pathname))

async function signIn(page: Page, member: Member): Promise<void> {
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(navigation(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
}

test('AUTH-11 AUTH-12 what a member was sending does not go on under the next member, who finds none of their addresses by Back, and stays in the form of the first', async ({
  page,
  member,
  newMember,
  problems,
}) => {
  // The requests that the sign-out cuts.
  problems.allow(/(offline|session-expired)/)
  const next = await newMember()
  await page.goto('/explore')
  // More entries than a browser keeps.
  await page.evaluate(() => {
    for (let idx = 1; idx <= 60; idx += 1) window.history.pushState({ idx }, '', `/explore?n=${idx}`)
  })
  await page.getByRole('link', { name: 'Create post' }).click()
  await chooseFiles(page.getByRole('button', { name: composer.choosePhotos }), PHOTO)
  await page.getByPlaceholder(composer.placeholder).fill('For my followers only')
  const uploads = await holdAnswers(page, OBJECT, { method: 'POST' })
  await page.getByRole('button', { name: composer.share, exact: true }).click()
  await expect.poll(uploads.count).toBe(1)
  await mark(page)

  await (await openAccountMenu(page)).getByRole('menuitem', { name: texts.nav.signOut, exact: true }).click()
  await page.getByRole('button', { name: settings.signOut.keep }).click()
  await expect(page).toHaveURL('/login')
  await signIn(page, next)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /storage\/v1\/(?!object\/sign)|create_post/.test(request.url()))
      sent.push(request.url())
  })
  await uploads.release()
  expect(await isMarked(page)).toBe(false)
  // What went on would have been sent by the time another page of the next member is there.
  await page.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { name: next.username })).toBeVisible()
  expect(await addresses(page)).toEqual(['/', '/', new URL(page.url()).pathname])
  expect(sent).toEqual([])
  expect((await next.api.storage.from('media').list(next.id)).data).toEqual([])
  expect((await next.api.from('posts').select('id').eq('user_id', next.id)).data).toEqual([])

  await signOut(page)
  await expect(page).toHaveURL('/login')
  await signIn(page, member)
  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByPlaceholder(composer.placeholder)).toHaveValue('For my followers only')
  await expect(page.getByRole('button', { name: composer.share, exact: true })).toBeEnabled()
  await page.getByRole('button', { name: composer.share, exact: true }).click()
  await expect(page.getByRole('feed').getByRole('article').first()).toContainText('For my followers only')
})

test('AUTH-12 SET-03 a deletion that another window signs out ends, and deletes nothing of the next member', async ({
  page,
  member: _member,
  newMember,
  problems,
}) => {
  problems.allow(/(offline|session-expired|status of 40\d)/)
  const next = await newMember()
  await insertPosts(next, 1)
  await page.goto('/settings')
  const other = await page.context().newPage()
  await other.goto('/')
  await expect(navigation(other)).toBeVisible()

  const cleared = await holdAnswers(page, CLEAR)
  await page.getByRole('button', { name: settings.deleteAccount }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect.poll(cleared.count).toBe(1)
  await mark(page)
  await signOut(other)
  await expect(other).toHaveURL('/login')
  await expect(page).toHaveURL('/login')
  await signIn(other, next)
  await expect(navigation(page)).toBeVisible()
  expect(await isMarked(page)).toBe(false)
  await cleared.release()

  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('heading', { name: next.username })).toBeVisible()
  const { data } = await next.api.from('profiles').select('username, posts(id)').eq('id', next.id)
  expect(data).toMatchObject([{ username: next.username, posts: [{}] }])
})
