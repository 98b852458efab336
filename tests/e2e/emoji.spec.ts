import type { Page } from '@playwright/test'
import { startConversation } from './support/conversations'
import { field, message } from './support/messages-page'
import { expect, test } from './support/test'

function picker(page: Page) {
  return page.getByRole('dialog', { name: 'Choose an emoji' })
}

function caret(page: Page): Promise<number> {
  return field(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)
}

test('MSG-14 an emoji is chosen by keyboard and inserted at the caret, which stays behind it', async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(member, other)
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('Good morning')
  for (let count = 0; count < ' morning'.length; count += 1) await page.keyboard.press('ArrowLeft')
  const button = page.getByRole('button', { name: 'Choose an emoji' })
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const search = picker(page).getByRole('combobox', { name: 'Search emojis' })
  await expect(search).toBeFocused()
  const list = picker(page).getByRole('listbox', { name: 'Emojis' })
  const active = list.getByRole('option', { selected: true })
  await expect(active).toHaveAccessibleName('grinning face')
  await page.keyboard.press('ArrowRight')
  await expect(active).toHaveAccessibleName('grinning face with big eyes')
  await expect(search).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? 'none')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  await expect(active).not.toHaveAccessibleName('grinning face with big eyes')
  await expect(active).toBeInViewport()

  await search.pressSequentially('camera')
  await expect(list.getByRole('group', { name: 'Found' })).toBeVisible()
  await expect(picker(page).getByRole('status')).toHaveText(/^\d+ emojis found$/)
  await expect(active).toHaveAccessibleName('camera')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('Good📷 morning')
  expect(await caret(page)).toBe('Good📷'.length)
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Good📷! morning')).toBeVisible()

  // Escape closes it without a change.
  await field(page).fill('Bye')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(search).toBeFocused()
  await expect(list.getByRole('group', { name: 'Recently used' }).getByRole('option')).toHaveCount(1)
  await expect(active).toHaveAccessibleName('camera')
  await search.fill('no such emoji')
  await expect(picker(page).getByText('No emojis found.')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(picker(page)).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('Bye')
})

test('MSG-14 the emoji picker shows a category at a click, needs no request but its code, and serves comments too', async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(member, other)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`/messages?c=${id}`)
  await expect(field(page)).toBeFocused()
  expect(requests.filter((url) => /EmojiPicker/.test(url))).toEqual([])
  await page.getByRole('button', { name: 'Choose an emoji' }).click()
  const categories = picker(page).getByRole('group', { name: 'Categories' })
  for (const name of [
    'Smileys and feelings',
    'People and bodies',
    'Animals and nature',
    'Food and drink',
    'Travel and places',
    'Activities',
    'Objects',
    'Symbols',
    'Flags',
  ]) {
    await categories.getByRole('button', { name }).click()
    await expect(picker(page).getByRole('group', { name }).getByRole('option').first()).toBeInViewport()
    await expect(picker(page).getByRole('combobox')).toBeFocused()
  }
  await expect(picker(page).getByRole('option', { selected: true })).toHaveAccessibleName('chequered flag')
  await picker(page).getByRole('option', { name: 'rainbow flag' }).click()
  await expect(field(page)).toHaveValue('🏳️‍🌈')
  await expect(field(page)).toBeFocused()
  const origin = new URL(page.url()).origin
  expect(requests.filter((url) => url.startsWith('http') && !url.startsWith(origin))).toEqual([])
  expect(requests.filter((url) => /EmojiPicker/.test(url)).length).toBeGreaterThan(0)

  await member.api.from('posts').insert({ user_id: member.id, content: 'A quiet one' }).throwOnError()
  const { data } = await member.api
    .from('posts')
    .select('id')
    .eq('user_id', member.id)
    .single()
    .throwOnError()
  await page.goto(`/?post=${data.id}`)
  const post = page.getByRole('dialog')
  await post.getByRole('button', { name: 'Choose an emoji' }).click()
  await picker(page).getByRole('combobox').fill('rainbow flag')
  await page.keyboard.press('Enter')
  await expect(post.getByRole('textbox', { name: 'Add a comment...' })).toHaveValue('🏳️‍🌈')
  await expect(post.getByRole('textbox', { name: 'Add a comment...' })).toBeFocused()
})
