import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { COMMENTS_PAGE } from '#/shared/limits'
import { longStep } from './support/long-step'
import { failRequests, holdRequests, joined, liveSwitch } from './support/network'
import { dataUrl, noisePng, png } from './support/png'
import { insertPosts } from './support/posts'
import { delayScheduler } from './support/react'
import { restingPlace } from './support/scroll'
import { expect, type Member, test } from './support/test'

const POSTS = /\/rest\/v1\/posts/

interface Wanted {
  content?: string
  location?: string
  alt_text?: string
  /** Size of its picture in pixels; without it the post has none. */
  size?: readonly [width: number, height: number]
}

/** Inserts a post. Returns its id. */
async function post(author: Member, { size, ...words }: Wanted): Promise<string> {
  const id = crypto.randomUUID()
  const picture = size && {
    image_url: dataUrl(png(...size, (x, y) => [x % 256, y % 256, 120])),
    thumbnail_url: dataUrl(noisePng(32, 1)),
    image_width: size[0],
    image_height: size[1],
  }
  const { error } = await author.api.from('posts').insert({ id, user_id: author.id, ...words, ...picture })
  if (error) throw error
  return id
}

function card(page: Page, id: string): Locator {
  return page.locator(`[data-post="${id}"]`)
}

/** The link that opens a post of the feed: its relative time, whatever it is by now. */
function opener(page: Page, id: string): Locator {
  return card(page, id)
    .getByRole('link')
    .filter({ has: page.getByRole('time') })
}

function dialog(page: Page, author: Member): Locator {
  return page.getByRole('dialog', { name: `Post by ${author.username}` })
}

async function chooseOption(place: Locator, option: 'Edit post' | 'Delete post'): Promise<void> {
  await place.getByRole('button', { name: 'Post options' }).click()
  await place.page().getByRole('menuitem', { name: option }).click()
}

test('PROF-10 a post opens over the page, which does not move, and closes in every way', async ({
  page,
  member,
}) => {
  const ids = await insertPosts(member, 12)
  await page.goto('/messages')
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('j')
  const id = (await page.evaluate(() => document.activeElement?.getAttribute('data-post'))) ?? ''
  expect(ids).toContain(id)
  const place = () => page.evaluate(() => window.scrollY)
  await expect.poll(place).toBeGreaterThan(300)
  await opener(page, id).scrollIntoViewIfNeeded()
  const before = await restingPlace(page)

  const closings: Record<string, () => Promise<unknown>> = {
    'the Escape key': () => page.keyboard.press('Escape'),
    'the way back': () => page.goBack(),
    'the close button': () => dialog(page, member).getByRole('button', { name: 'Close' }).click(),
    'a click beside it': () => page.mouse.click(32, 800),
  }
  for (const [way, close] of Object.entries(closings)) {
    await opener(page, id).click()
    await expect(dialog(page, member), way).toBeVisible()
    await expect(page).toHaveURL(`/?post=${id}`)
    expect(await place(), way).toBe(before)
    // Among them its header, which is sticky.
    expect((await page.locator('header').first().boundingBox())?.y, way).toBe(0)
    await page.keyboard.press('PageDown')
    await page.mouse.wheel(0, 400)
    await close()
    await expect(dialog(page, member), way).toHaveCount(0)
    await expect(page, way).toHaveURL('/')
    expect(await restingPlace(page), way).toBe(before)
    await expect(opener(page, id), way).toBeFocused()
  }

  // Each close removed its own history entry, and Forward opens the post again in the same place.
  await page.goForward()
  await expect(dialog(page, member)).toBeVisible()
  expect(await place()).toBe(before)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL('/messages')
})

test('PROF-10 an address opens a post too, and closing it stays on the page', { tag: '@long' }, async ({
  page,
  member,
}) => {
  const id = await post(member, { content: 'Sent around' })
  await page.goto(`/settings?post=${id}`)
  await expect(dialog(page, member).getByText('Sent around')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, member)).toHaveCount(0)
  await expect(page).toHaveURL('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('PROF-10 an open post has its text with mentions, likes, saves and comments', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  const author = await newMember()
  const id = await post(author, { content: `With @${member.username}`, location: 'Porto', size: [64, 48] })
  for (const content of ['first', 'second']) {
    await author.api.from('comments').insert({ post_id: id, user_id: author.id, content })
  }
  await page.goto(`/?post=${id}`)
  const opened = dialog(page, author)
  await expect(opened.getByText('Porto')).toBeVisible()
  await expect(opened.getByRole('link', { name: `@${member.username}` })).toHaveAttribute(
    'href',
    `/profile/${member.username}`,
  )
  await expect(opened.getByRole('img', { name: `Photo by ${author.username}` })).toBeVisible()
  const comments = opened.getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await expect(comments).toHaveText([/first/, /second/])

  await page.keyboard.press('l')
  await expect(opened.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.keyboard.press('s')
  await expect(opened.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('c')
  await page.keyboard.type('jlsc')
  await page.keyboard.press('Enter')
  await expect(comments).toHaveText([/first/, /second/, /jlsc/])
  await expect
    .poll(async () => (await author.api.from('posts').select('like_count,comment_count').eq('id', id)).data)
    .toEqual([{ like_count: 1, comment_count: 3 }])

  // Each screen shows the same cached post.
  await page.keyboard.press('Escape')
  await expect(card(page, id).getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(card(page, id).getByText('3 comments', { exact: true })).toBeAttached()
})

test('FEED-06 FEED-12 an open post shows the comments that were written while the connection was lost', {
  tag: '@long',
}, async ({ page, member: _reader, newMember }) => {
  const author = await newMember()
  const id = await post(author, { content: 'Anybody there?' })
  const comment = (content: string) =>
    author.api.from('comments').insert({ post_id: id, user_id: author.id, content }).throwOnError()
  await comment('Before')
  const live = await liveSwitch(page)
  const connected = joined(page)
  await page.goto(`/?post=${id}`)
  const comments = dialog(page, author).getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await expect(comments).toHaveText([/Before/])
  await connected
  live.cut()
  // Not by its role: the dialog hides everything outside it from assistive technology.
  await expect(page.locator('[data-connection="lost"]')).toBeVisible()
  await comment('In the gap')
  await live.restore()
  await expect(comments).toHaveText([/Before/, /In the gap/])
  await expect(dialog(page, author).getByText('2 comments', { exact: true })).toBeAttached()
})

test('PROF-10 scrolling an open post loads more comments', { tag: '@long' }, async ({ page, member }) => {
  const id = await post(member, { content: 'Long talk', size: [64, 48] })
  const rows = Array.from({ length: 45 }, (_, index) => ({
    post_id: id,
    user_id: member.id,
    content: `comment number ${index + 1}`,
  }))
  for (const row of rows) await member.api.from('comments').insert(row).throwOnError()
  await page.goto(`/?post=${id}`)
  const items = dialog(page, member).getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await expect(items.getByText(/^comment number/)).toHaveCount(COMMENTS_PAGE)
  await expect(items.first().getByText('comment number 1', { exact: true })).toBeVisible()
  await expect(async () => {
    await items.last().scrollIntoViewIfNeeded()
    await expect(items.last()).toContainText('comment number 45', { timeout: 500 })
  }).toPass()
  await expect(items).toHaveCount(45)
})

test('PROF-10 arrow keys and buttons step through the list, and j and k do nothing', {
  tag: '@long',
}, async ({ page, member }) => {
  const [third, second, first] = [
    await post(member, { content: 'The third' }),
    await post(member, { content: 'The second' }),
    await post(member, { content: 'The first' }),
  ]
  await page.goto('/')
  await opener(page, first).click()
  const opened = dialog(page, member)
  const text = opened.getByText(/^The/)
  await expect(text).toHaveText('The first')
  await expect(opened.getByRole('button', { name: 'Next post' })).toBeVisible()
  // The focus stays on the dialog, so only a live region announces another post to a screen reader.
  await expect(opened.locator('h2[aria-live="polite"]')).toHaveText(`Post by ${member.username}`)
  await expect(opened.getByRole('button', { name: 'Previous post' })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(text).toHaveText('The second')
  await expect(page).toHaveURL(`/?post=${second}`)
  await opened.getByRole('button', { name: 'Next post' }).click()
  await expect(text).toHaveText('The third')
  await expect(page).toHaveURL(`/?post=${third}`)
  const endDelay = await delayScheduler(page)
  await opened.getByRole('button', { name: 'Previous post' }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(text).toHaveText('The second')

  // In the field the arrows move the cursor, and the text stays with its post, from the first render on.
  await page.keyboard.press('c')
  const field = opened.getByRole('textbox', { name: 'Add a comment...' })
  await field.pressSequentially('bt')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('u')
  await expect(field).toHaveValue('but')
  await endDelay()
  await expect(text).toHaveText('The second')

  // Back leads to the page after any number of steps, to the post that was shown last.
  await page.goBack()
  await expect(opened).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(page.locator(`[data-post="${second}"]`)).toBeFocused()
})

test('PROF-10 arrow keys step through the posts of a grid, which does not scroll', { tag: '@long' }, async ({
  page,
  member,
}) => {
  const ids = await insertPosts(member, 24)
  await page.goto(`/profile/${member.username}`)
  const cells = page.getByRole('main').locator('a[href*="post="]')
  await expect(cells.first()).toBeVisible()
  await page.mouse.move(640, 500)
  await page.mouse.wheel(0, 500)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
  // One that is not the first of its row, which is on screen with all of its height: the page scrolls to a post that is not.
  const before = await restingPlace(page)
  const href = await cells.evaluateAll((all) => {
    const isMiddle = (cell: Element) => {
      const { left, top, bottom } = cell.getBoundingClientRect()
      return left > 400 && top > 120 && bottom < window.innerHeight
    }
    return all.find(isMiddle)?.getAttribute('href') ?? ''
  })
  await page.locator(`a[href="${href}"]`).click()
  await expect(dialog(page, member)).toBeVisible()
  await expect(page).toHaveURL(href)
  await page.keyboard.press('ArrowRight')
  await expect(page).not.toHaveURL(href)
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(href)
  await page.keyboard.press('ArrowLeft')
  await expect(page).not.toHaveURL(href)
  const shown = await page.evaluate(() => new URLSearchParams(location.search).get('post'))
  const number = ids.indexOf(shown ?? '')
  // Closed earlier, the light table has not shown it yet, and the focus returns to the post before.
  await expect(dialog(page, member).getByText(`Post number ${number}`, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/profile/${member.username}`)
  await expect(page.getByRole('main').locator(`a[href$="post=${shown}"]`)).toBeFocused()
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
})

test('PROF-10 a deleted or hidden post shows a notice', { tag: '@long' }, async ({
  page,
  member,
  newMember,
  problems,
}) => {
  const author = await newMember()
  const id = await post(author, { content: 'Not for everybody' })
  await author.api.from('profiles').update({ is_private: true }).eq('id', author.id)
  for (const address of [id, crypto.randomUUID(), 'no-id', '%22']) {
    await page.goto(`/?post=${address}`)
    await expect(page.getByRole('dialog', { name: 'Post' }).getByText('This post is not here')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/')
  }

  // A post that fails to load is not reported as deleted.
  const own = await post(member, { content: 'Far away' })
  problems.expect(POSTS, /read post: offline/)
  await page.goto('/settings')
  const undo = await failRequests(page, POSTS)
  await page.goto(`/settings?post=${own}`)
  const failed = page.getByRole('dialog', { name: 'Post' })
  await expect(failed.getByText('This post could not be loaded.')).toBeVisible()
  await undo()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page, member).getByText('Far away')).toBeVisible()
})

test('PROF-10 a post deleted in its dialog disappears from the page too', { tag: '@long' }, async ({
  page,
  member,
}) => {
  const kept = await post(member, { content: 'Kept' })
  const id = await post(member, { content: 'Not kept' })
  await page.goto('/')
  await opener(page, id).click()
  await chooseOption(dialog(page, member), 'Delete post')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page, member)).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(card(page, id)).toHaveCount(0)
  await expect(card(page, kept)).toBeVisible()
  expect((await member.api.from('posts').select('id').eq('id', id)).data).toEqual([])
})

test('PROF-13 PROF-14 screen readers get the alt text, which is shown on demand; an author edits text, location and alt text', {
  tag: '@steps',
}, async ({ page, member }) => {
  const described = await post(member, { size: [640, 480], alt_text: 'A dog asleep on a boat' })
  const without = await post(member, { size: [640, 480] })
  const id = await post(member, { content: 'Teh ferry', size: [64, 48] })
  await page.goto('/')
  await test.step('PROF-14 alt text is read by screen readers and shown on demand, in the feed and in the post', async () => {
    await expect(card(page, without).getByRole('img', { name: `Photo by ${member.username}` })).toBeVisible()
    await expect(card(page, without).getByRole('button', { name: 'ALT' })).toHaveCount(0)
    const check = async (place: Locator) => {
      await expect(place.getByRole('img', { name: 'A dog asleep on a boat' })).toBeVisible()
      const button = place.getByRole('button', { name: 'ALT' })
      await expect(place.getByText('A dog asleep on a boat')).toHaveCount(0)
      await button.click()
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      await expect(place.getByText('A dog asleep on a boat')).toBeVisible()
      await button.click()
      await expect(place.getByText('A dog asleep on a boat')).toHaveCount(0)
    }
    await check(card(page, described))
    await opener(page, described).click()
    await check(dialog(page, member))
    await page.keyboard.press('Escape')
    await expect(dialog(page, member)).toHaveCount(0)
  })

  await test.step('PROF-13 an author edits text, place and alt text, and the post says so', async () => {
    await expect(card(page, id).getByText('Teh ferry')).toBeVisible()
    await expect(card(page, id).getByText('edited')).toHaveCount(0)
    await chooseOption(card(page, id), 'Edit post')
    const form = page.getByRole('dialog', { name: 'Edit post' })
    const text = form.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('The boat')
    for (const close of ['Escape', 'Cancel', 'Close']) {
      if (close === 'Escape') await text.press('Escape')
      else await form.getByRole('button', { name: close }).click()
      await expect(form).toHaveCount(0)
      await expect(card(page, id).getByText('Teh ferry')).toBeVisible()
      await chooseOption(card(page, id), 'Edit post')
      await expect(text).toHaveValue('The boat')
    }
    await form.getByRole('button', { name: 'Discard changes' }).click()
    await expect(text).toHaveValue('Teh ferry')
    await expect(form.getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
    await text.fill(' The ferry ')
    await form.getByRole('combobox', { name: 'Location' }).fill('Porto')
    await form.getByRole('textbox', { name: 'Alt text' }).fill('A ferry in fog')
    const held = await holdRequests(page, POSTS, { method: 'PATCH' })
    await form.getByRole('button', { name: 'Save' }).click()
    await held.arrived
    await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled()
    await expect(card(page, id).getByText('Teh ferry')).toBeAttached()
    await held.release()
    await expect(form).toHaveCount(0)
    await expect(card(page, id).getByText('The ferry')).toBeVisible()
    await expect(card(page, id).getByText('Porto')).toBeVisible()
    await expect(card(page, id).getByText('edited')).toBeVisible()
    await expect(card(page, id).getByRole('img', { name: 'A ferry in fog' })).toBeVisible()
    const stored = () => member.api.from('posts').select('content,location,alt_text').eq('id', id).single()
    expect((await stored()).data).toEqual({
      content: 'The ferry',
      location: 'Porto',
      alt_text: 'A ferry in fog',
    })

    await longStep('the open post too can be edited, and an emptied field is removed', async () => {
      // The open post too can be edited, and an emptied field is removed.
      await opener(page, id).click()
      const opened = dialog(page, member)
      await expect(opened.getByText('edited')).toBeVisible()
      await expect(opened.getByText('Porto')).toBeVisible()
      await chooseOption(opened, 'Edit post')
      await form.getByRole('combobox', { name: 'Location' }).fill('')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      await expect(opened.getByRole('button', { name: 'Post options' })).toBeFocused()
      await expect(opened.getByText('Porto')).toHaveCount(0)
      expect((await stored()).data?.location).toBeNull()
    })
  })
})

test('PROF-13 a failed edit is only logged and keeps the form', { tag: '@long' }, async ({
  page,
  member,
  problems,
}) => {
  const id = await post(member, { content: 'As it was' })
  await page.goto('/')
  await chooseOption(card(page, id), 'Edit post')
  const form = page.getByRole('dialog', { name: 'Edit post' })
  const field = form.getByRole('textbox', { name: 'Text', exact: true })
  await expect(form.getByRole('textbox', { name: 'Alt text' })).toHaveCount(0)
  await field.fill('   ')
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await field.fill('As it shall be')
  problems.expect(POSTS, /edit post: offline/)
  const undo = await failRequests(page, POSTS, { method: 'PATCH' })
  await form.getByRole('button', { name: 'Save' }).click()
  await problems.arrived()
  await expect(form.getByRole('button', { name: 'Save' })).toBeEnabled()
  await expect(field).toHaveValue('As it shall be')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await undo()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await expect(card(page, id).getByText('As it shall be')).toBeVisible()
})

test('PROF-13 keys typed while a post is saved stay in the form for the next save', { tag: '@long' }, async ({
  page,
  member,
}) => {
  const [id = ''] = await insertPosts(member, 1, { content: () => 'Low tide' })
  await page.goto('/')
  await chooseOption(card(page, id), 'Edit post')
  const form = page.getByRole('dialog', { name: 'Edit post' })
  const content = form.getByLabel(texts.composer.textLabel)
  const save = form.getByRole('button', { name: texts.post.saveChanges })
  await content.fill('High tide')
  const held = await holdRequests(page, /\/rest\/v1\/posts/, { method: 'PATCH' })
  await save.click()
  await held.arrived
  await content.press('End')
  await page.keyboard.type(' at noon')
  await form.getByLabel(texts.composer.locationLabel).fill('Sylt')
  await held.release()
  await expect(save).toBeEnabled()
  const { data } = await member.api.from('posts').select('content,location').eq('id', id).single()
  expect(data).toEqual({ content: 'High tide', location: null })
  await expect(content).toHaveValue('High tide at noon')
  await save.click()
  await expect(form).toBeHidden()
  await expect(card(page, id).getByText('High tide at noon')).toBeVisible()
  await expect(card(page, id).getByText('Sylt')).toBeVisible()
})
