import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { photoPath } from './fixtures/photos'
import { startConversation } from './support/conversations'
import { chooseFiles } from './support/files'
import { longStep } from './support/long-step'
import { field, message } from './support/messages-page'
import { expect, test } from './support/test'

const { emoji, makeStory } = texts

function picker(page: Page) {
  return page.getByRole('dialog', { name: 'Choose an emoji' })
}

function caret(page: Page): Promise<number> {
  return field(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)
}

test('MSG-14 an emoji is chosen by keyboard and inserted at the caret, which stays behind it', {
  tag: '@steps',
}, async ({ page, member, other }) => {
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

  await longStep('Escape closes it without a change', async () => {
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
})

test('MSG-14 the emoji picker shows a category at a click, needs no request but its code, and serves comments too', {
  tag: '@long',
}, async ({ page, member, other }) => {
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

test('CREATE-01 PROF-13 STORY-01 the captions of a new post, an edited post and a story take emojis', {
  tag: '@long',
}, async ({ page, member }) => {
  await page.goto('/create')
  const caption = page.getByPlaceholder("What's on your mind?")
  await caption.fill('Dunes')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Choose an emoji' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Search emojis' }).fill('camel')
  await page.keyboard.press('Enter')
  await expect(caption).toHaveValue('Dunes🐪')
  await expect(caption).toBeFocused()
  // The chosen emoji is part of the stored draft.
  await page.reload()
  await expect(caption).toHaveValue('Dunes🐪')
  await page.getByRole('button', { name: 'Share' }).click()
  const posts = member.api.from('posts').select('id,content').eq('user_id', member.id)
  await expect.poll(async () => (await posts).data?.map(({ content }) => content)).toEqual(['Dunes🐪'])

  const posted = page.getByRole('article', { name: `Post by ${member.username}` })
  await posted.getByRole('button', { name: 'Post options' }).click()
  await page.getByRole('menuitem', { name: 'Edit post' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit post' })
  await editing.getByRole('button', { name: 'Choose an emoji' }).click()
  const camel = picker(page).getByRole('group', { name: emoji.recent }).getByRole('option', { name: 'camel' })
  await expect(camel).toBeInViewport({ ratio: 1 })
  // The wheel scrolls it, although a dialog is open.
  await camel.hover()
  await page.mouse.wheel(0, 300)
  await expect(camel).not.toBeInViewport()
  await page.mouse.wheel(0, -300)
  await expect(camel).toBeInViewport({ ratio: 1 })
  await camel.click()
  const edited = editing.getByPlaceholder("What's on your mind?")
  await expect(edited).toHaveValue('Dunes🐪🐪')
  await expect(edited).toBeFocused()
  // Escape closes the picker alone.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Search emojis' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(picker(page)).toHaveCount(0)
  await expect(edited).toBeFocused()
  await editing.getByRole('button', { name: texts.post.saveChanges }).click()
  await expect.poll(async () => (await posts).data?.map(({ content }) => content)).toEqual(['Dunes🐪🐪'])

  await page.getByRole('button', { name: 'Add story' }).click()
  const story = page.getByRole('dialog', { name: 'Add story' })
  await chooseFiles(
    story.getByRole('button', { name: makeStory.choosePhoto }),
    photoPath('orientation-1.jpg'),
  )
  const words = story.getByRole('textbox', { name: makeStory.caption })
  await expect(words).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Search emojis' }).fill('sunset')
  await expect(picker(page).getByRole('option', { selected: true })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(words).toHaveValue('🌇')
  await expect(words).toBeFocused()
})

test('MSG-14 a skin tone is chosen once by keyboard or pointer, remembered, and applied to the emojis that have one', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const id = await startConversation(member, other)
  await page.goto(`/messages?c=${id}`)
  await page.getByRole('button', { name: 'Choose an emoji' }).click()
  const search = picker(page).getByRole('combobox', { name: 'Search emojis' })
  await search.press('Tab')
  const tone = picker(page).getByRole('button', { name: `${emoji.tone}: ${emoji.tones.none.toLowerCase()}` })
  await expect(tone).toBeFocused()
  await page.keyboard.press('Enter')
  const tones = picker(page).getByRole('group', { name: emoji.tone })
  await expect(tones.getByRole('radio', { name: emoji.tones.none })).toBeFocused()
  for (const name of [emoji.tones.light, emoji.tones.mediumLight, emoji.tones.medium]) {
    await page.keyboard.press('ArrowRight')
    await expect(tones.getByRole('radio', { name, exact: true })).toBeChecked()
  }
  await page.keyboard.press('Enter')
  await expect(tones).toHaveCount(0)
  await expect(search).toBeFocused()
  await page.keyboard.type('thumbs up')
  await expect(picker(page).getByRole('option', { selected: true })).toHaveAccessibleName(
    'thumbs up, medium skin tone',
  )
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('👍🏽')

  await page.reload()
  await page.getByRole('button', { name: 'Choose an emoji' }).click()
  const recent = picker(page).getByRole('group', { name: emoji.recent }).getByRole('option')
  await expect(recent).toHaveText('👍🏽')
  await picker(page)
    .getByRole('button', { name: `${emoji.tone}: ${emoji.tones.medium.toLowerCase()}` })
    .click()
  await expect(tones.getByRole('radio', { name: emoji.tones.mediumDark })).not.toBeChecked()
  await tones.getByText('✋🏿').click()
  await expect(tones).toHaveCount(0)
  await expect(search).toBeFocused()
  // The emojis used before take the new tone too; others have none.
  await expect(recent).toHaveText('👍🏿')
  await expect(recent).toHaveAccessibleName(`thumbs up, ${emoji.tones.dark.toLowerCase()}`)
  await search.fill('camera')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('👍🏽📷')
})

test('MSG-14 a system without a font for emojis gets one, in the parts that a text needs', async ({
  openAs,
  newMember,
}) => {
  const page = await openAs(await newMember())
  await page.goto('/')
  const faces = () =>
    page.evaluate(() =>
      [...document.fonts]
        .filter(({ family }) => family.includes('Vignette Emoji'))
        .map(({ status }) => status),
    )
  await expect.poll(async () => (await faces()).length).toBeGreaterThan(8)
  // As a text does on such a system.
  const loaded = await page.evaluate(
    async () => (await document.fonts.load('16px "Vignette Emoji"', '🔥')).length,
  )
  expect(loaded).toBeGreaterThan(0)
  expect((await faces()).filter((status) => status === 'loaded').length).toBeLessThan(6)
})
