import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { failRequests } from './support/network'
import { expect, test } from './support/test'

const { editProfile } = texts

async function openForm(page: Page): Promise<void> {
  await page.goto('/edit-profile')
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible()
  await expect(page.getByLabel('Username')).toBeVisible()
}

function save(page: Page) {
  return page.getByRole('button', { name: 'Save Changes' })
}

test('EDIT-03 EDIT-04 old links and mentions redirect to the new username; nobody else can take the old one at once', {
  tag: '@long',
}, async ({ page, member, newMember, openAs, problems }) => {
  const renamed = `${member.username}2`
  const [author, reader] = [await newMember(), await newMember()]
  const { data: post } = await author.api
    .from('posts')
    .insert({ user_id: author.id, content: `On the ridge with @${member.username}` })
    .select('id')
    .single()
  const heading = page.getByRole('heading', { level: 1 })
  await page.goto(`/profile/${member.username}`)
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByLabel('Username').fill(renamed)
  await save(page).click()
  await expect(page).toHaveURL(`/profile/${renamed}`)
  await page.goBack()
  await expect(page).toHaveURL(`/profile/${renamed}`)
  await expect(heading).toHaveText(renamed)
  await page.getByRole('tab', { name: 'Tagged' }).click()
  await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(1)

  const other = await openAs(reader)
  const otherHeading = other.getByRole('heading', { level: 1 })
  await other.goto(`/profile/${author.username}?post=${post?.id}`)
  await other
    .getByRole('dialog')
    .getByRole('link', { name: `@${member.username}` })
    .click()
  await expect(other).toHaveURL(`/profile/${renamed}`)
  await expect(otherHeading).toHaveText(renamed)
  await other.goBack()
  await expect(other).toHaveURL(`/profile/${author.username}?post=${post?.id}`)

  problems.expect(/status of 409/, /save profile: conflict/)
  await openForm(other)
  await other.getByLabel('Username').fill(member.username)
  await save(other).click()
  await expect(other.getByRole('alert')).toHaveText([texts.auth.usernameTaken, texts.auth.usernameTaken])
  await other.getByLabel('Username').press('End')
  await other.getByLabel('Username').press('a')
  await expect(other.getByRole('alert')).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByLabel('Username').fill(member.username)
  await expect(page.getByText(editProfile.formerUsernames)).toBeVisible()
  await save(page).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  await other.goto(`/profile/${author.username}?post=${post?.id}`)
  await other
    .getByRole('dialog')
    .getByRole('link', { name: `@${member.username}` })
    .click()
  await expect(otherHeading).toHaveText(member.username)
  await expect(other).toHaveURL(`/profile/${member.username}`)
})

test('EDIT-02 no form is shown until the profile has loaded', { tag: '@long' }, async ({
  page,
  member,
  problems,
}) => {
  problems.expect(/ERR_CONNECTION_REFUSED/, /read editable-profile: offline/)
  const undo = await failRequests(page, /profiles\?select=username%2Cfull_name%2Cbio/)
  const givenUp = page.waitForEvent('console', (message) =>
    message.text().startsWith('read editable-profile'),
  )
  await page.goto('/edit-profile')
  await givenUp
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible()
  await expect(save(page)).toHaveCount(0)
  await undo()
  await page.reload()
  await expect(page.getByLabel('Username')).toHaveValue(member.username)
  await expect(save(page)).toBeVisible()
})
