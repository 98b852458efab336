import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { failRequests, holdRequests } from './support/network'
import { expect, type Member, test } from './support/test'

const PROFILES = /\/rest\/v1\/profiles/
const { editProfile } = texts

async function openForm(page: Page): Promise<void> {
  await page.goto('/edit-profile')
  await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible()
  await expect(page.getByLabel('Username')).toBeVisible()
}

function save(page: Page) {
  return page.getByRole('button', { name: 'Save Changes' })
}

async function storedProfile({ api, id }: Member) {
  const { data, error } = await api.from('profiles').select().eq('id', id).single()
  if (error) throw error
  return data
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

test('EDIT-03 clearing the website removes it', { tag: '@long' }, async ({ page, member }) => {
  await member.api.from('profiles').update({ website: 'https://mara.example' }).eq('id', member.id)
  await openForm(page)
  await page.getByLabel('Website').fill('')
  await save(page).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  expect((await storedProfile(member)).website).toBeNull()
})

test('EDIT-02 an empty username is not saved', { tag: '@long' }, async ({ page, member }) => {
  await openForm(page)
  await page.getByLabel('Username').fill('')
  await page.getByLabel('Full Name').fill('Somebody else')
  await save(page).click()
  await expect(page.getByRole('alert')).toHaveText(texts.access.usernameInvalid)
  await expect(page.getByLabel('Full Name')).toHaveValue('Somebody else')
  expect((await storedProfile(member)).full_name).toBe(member.fullName)
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

test('EDIT-04 two members take one username at the same time: one gets it, the other sees an error', {
  tag: '@long',
}, async ({ page, member, newMember, openAs, problems }) => {
  problems.expect(/status of 409/, /save profile: conflict/)
  const other = await newMember()
  const otherPage = await openAs(other)
  const wanted = `${member.username}wanted`
  const pages = [page, otherPage]
  const held = await Promise.all(
    pages.map(async (each) => {
      await openForm(each)
      await each.getByLabel('Full Name').fill('Typed Before')
      await each.getByLabel('Username').fill(wanted)
      const requests = await holdRequests(each, PROFILES, { method: 'PATCH' })
      await save(each).click()
      await requests.arrived
      return requests
    }),
  )
  await Promise.all(held.map(({ release }) => release()))
  for (const each of pages) {
    await expect(
      each.getByRole('heading', { level: 1, name: wanted }).or(each.getByRole('alert').first()),
    ).toBeVisible()
  }
  const winners = pages.filter((each) => each.url().endsWith(`/profile/${wanted}`))
  expect(winners).toHaveLength(1)
  const [loser] = pages.filter((each) => !winners.includes(each))
  if (loser === undefined) throw new Error('both got the name')
  // The banner, and the error at the field.
  await expect(loser.getByRole('alert')).toHaveText([texts.auth.usernameTaken, texts.auth.usernameTaken])
  await expect(loser.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await expect(loser.getByLabel('Username')).toHaveValue(wanted)
  await expect(loser.getByLabel('Full Name')).toHaveValue('Typed Before')
  const names = [(await storedProfile(member)).username, (await storedProfile(other)).username]
  expect(names.filter((name) => name === wanted)).toHaveLength(1)
})

test('EDIT-04 keys typed while the profile is saved stay in the form for the next save, also after a failure', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await openForm(page)
  const [name, bio] = [page.getByLabel('Full Name'), page.getByLabel('Bio')]
  await name.fill('Anna')
  const first = await holdRequests(page, PROFILES, { method: 'PATCH' })
  await save(page).click()
  await first.arrived
  await name.press('End')
  await page.keyboard.type(' Berg')
  await bio.fill('Herons')
  await first.release()
  await expect(save(page)).toBeEnabled()
  expect(await storedProfile(member)).toMatchObject({ full_name: 'Anna', bio: '' })
  await expect(name).toHaveValue('Anna Berg')

  problems.expect(/ERR_CONNECTION_REFUSED/, /save profile: offline/)
  const undo = await failRequests(page, PROFILES, { method: 'PATCH' })
  await save(page).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(name).toHaveValue('Anna Berg')
  await expect(bio).toHaveValue('Herons')
  await undo()
  await save(page).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  expect(await storedProfile(member)).toMatchObject({ full_name: 'Anna Berg', bio: 'Herons' })
})
