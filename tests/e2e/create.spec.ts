import type { Page } from '@playwright/test'
import { offlineComments } from '#/renderer/lib/texts/later/offline-comments'
import { choosePhotos } from './support/files'
import { longStep } from './support/long-step'
import { storedPhoto } from './support/media'
import { answerWith, failRequests, goOffline, holdRequests, loseAnswers } from './support/network'
import { png } from './support/png'
import { expect, test } from './support/test'

/** Posts with a photo in Storage are inserted by a function. */
const POSTS = /\/rest\/v1\/(posts|rpc\/create_post)/

async function pickPhoto(page: Page): Promise<void> {
  const buffer = png(640, 480, (x, y) => [x % 256, y % 256, 120])
  await choosePhotos(page, { name: 'ridge.png', mimeType: 'image/png', buffer })
}

async function choosePhoto(page: Page): Promise<void> {
  await pickPhoto(page)
  await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toBeVisible()
}

test('CREATE-01 CREATE-02 the form shows the chosen photo, does not post a removed one, and keeps texts over their limits', {
  tag: '@long',
}, async ({ page, member }) => {
  await page.goto('/create')
  await expect(page.getByPlaceholder("What's on your mind?")).toBeVisible()
  await expect(page.getByPlaceholder('Add location')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled()
  await choosePhoto(page)
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A ridge in haze')
  await expect(page.getByRole('button', { name: 'Share' })).toBeEnabled()
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Choose (photos|a photo)$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled()
  await page.getByPlaceholder("What's on your mind?").fill('Words alone')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page).toHaveURL('/')
  const stored = member.api.from('posts').select('content,alt_text,image_url,thumbnail_url')
  expect((await stored.eq('user_id', member.id)).data).toEqual([
    { content: 'Words alone', alt_text: null, image_url: null, thumbnail_url: null },
  ])

  await test.step('CREATE-02 texts over their limits show a message and cannot be shared; texts at their limits can', async () => {
    await page.getByRole('link', { name: 'Create post' }).click()
    const text = '📷'.repeat(2_201)
    await page.getByPlaceholder("What's on your mind?").fill(text)
    await expect(page.getByRole('alert')).toHaveText('1 character too many')
    await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled()
    await expect(page.getByPlaceholder("What's on your mind?")).toHaveValue(text)
    await page.getByPlaceholder("What's on your mind?").fill('📷'.repeat(2_200))
    await expect(page.getByRole('button', { name: 'Share' })).toBeEnabled()
    await page.getByPlaceholder('Add location').fill('x'.repeat(102))
    await expect(page.getByRole('alert')).toHaveText('2 characters too many')
    await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled()
    await page.getByPlaceholder('Add location').fill('x'.repeat(100))
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('main')).toBeFocused()
    const longest = member.api.from('posts').select('content,location').eq('user_id', member.id)
    expect((await longest.eq('location', 'x'.repeat(100))).data).toEqual([
      { content: '📷'.repeat(2_200), location: 'x'.repeat(100) },
    ])
  })
})

test('CREATE-01 CREATE-02 a post is stored trimmed and is at the top of the feed', { tag: '@smoke' }, async ({
  page,
  member,
  newMember,
}) => {
  const other = await newMember()
  await other.api.from('posts').insert({ user_id: other.id, content: 'An older one' })
  await page.goto('/')
  await page.getByRole('link', { name: 'Create post' }).click()
  const share = page.getByRole('button', { name: 'Share' })
  await page.getByPlaceholder("What's on your mind?").fill('   \n ')
  await expect(share).toBeDisabled()
  await page.getByPlaceholder("What's on your mind?").fill('  Six rolls, one keeper.  ')
  await page.getByPlaceholder('Add location').fill('  Serra da Estrela ')
  await page.reload()
  await expect(page.getByPlaceholder("What's on your mind?")).toHaveValue('  Six rolls, one keeper.  ')
  await expect(page.getByPlaceholder('Add location')).toHaveValue('  Serra da Estrela ')
  // While a chosen photo is being read, the post cannot be shared without it.
  const reading = await holdRequests(page, /camera-details/)
  await pickPhoto(page)
  await reading.arrived
  await expect(page.getByRole('progressbar', { name: 'Reading your files' })).toBeVisible()
  await expect(share).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: /^Choose (photos|a photo)$/ })).toBeFocused()
  await expect(share).toBeEnabled()
  const chosen = choosePhoto(page)
  await expect(share).toBeDisabled()
  await reading.release()
  await chosen
  await expect(page.getByRole('button', { name: 'Remove photo' })).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A ridge in haze')
  const held = await holdRequests(page, POSTS, { method: 'POST' })
  await share.click()
  await held.arrived
  await expect(page.getByRole('button', { name: 'Posting...' })).toBeDisabled()
  // A member who opens another screen and returns finds the form unchanged and still sending.
  await page.goBack()
  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByRole('button', { name: 'Posting...' })).toBeDisabled()
  await expect(page.getByPlaceholder("What's on your mind?")).not.toBeEditable()
  await held.release()
  await expect(page).toHaveURL('/')
  const top = page.getByRole('article').first()
  await expect(top).toHaveAccessibleName(`Post by ${member.username}`)
  await expect(top.getByText('Six rolls, one keeper.')).toBeVisible()
  await expect(top.getByRole('img', { name: 'A ridge in haze' })).toBeVisible()
  expect(await storedPhoto(member)).toMatchObject({
    content: 'Six rolls, one keeper.',
    location: 'Serra da Estrela',
    altText: 'A ridge in haze',
    width: 640,
    height: 480,
  })

  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByPlaceholder("What's on your mind?")).toHaveValue('')
})

test('CREATE-04 a failed post is only logged, keeps its draft, and is stored once when it is sent again', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await page.goto('/create')
  await page.getByPlaceholder("What's on your mind?").fill('Do not lose me')
  await page.getByPlaceholder('Add location').fill('Somewhere')
  await choosePhoto(page)
  problems.expect(POSTS)
  problems.expect(/share post: offline/)
  const undo = await failRequests(page, POSTS, { method: 'POST' })
  const share = page.getByRole('button', { name: 'Share' })
  await share.click()
  await problems.arrived()
  await expect(share).toBeEnabled()
  await expect(page).toHaveURL('/create')
  await expect(page.getByRole('alert')).toHaveCount(0)

  // Opening another screen does not lose the draft.
  await page.getByRole('link', { name: 'Messages' }).click()
  await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeVisible()
  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByPlaceholder("What's on your mind?")).toHaveValue('Do not lose me')
  await expect(page.getByPlaceholder('Add location')).toHaveValue('Somewhere')
  await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toBeVisible()

  await undo()
  // The response is lost: the server has stored the post, but the page does not know.
  const deliver = await loseAnswers(page, POSTS, { method: 'POST' })
  const lost = page.waitForEvent('requestfailed')
  await share.click()
  await lost
  await expect(share).toBeEnabled()
  await deliver()
  await page.getByPlaceholder("What's on your mind?").fill('Do not lose me, nor this')
  await share.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('article').first().getByText('Do not lose me, nor this')).toBeVisible()
  expect((await member.api.from('posts').select('content').eq('user_id', member.id)).data).toEqual([
    { content: 'Do not lose me, nor this' },
  ])
})

test('CREATE-10 FEED-19 a post and comments sent without a network wait, and are sent once when it returns', {
  tag: '@steps',
}, async ({ page, member, problems }) => {
  const { data: first } = await member.api
    .from('posts')
    .insert({ user_id: member.id, content: 'Before the tunnel' })
    .select('id')
    .single()
    .throwOnError()
  const { data: unread } = await member.api
    .from('posts')
    .insert({ user_id: member.id, content: 'Not opened before' })
    .select('id')
    .single()
    .throwOnError()
  await member.api
    .from('comments')
    .insert({ post_id: unread.id, user_id: member.id, content: 'Not read before' })
    .throwOnError()
  await page.goto('/create')
  await page.getByPlaceholder("What's on your mind?").fill('Out of the tunnel')
  await page.getByPlaceholder('Add location').fill('Gotthard')
  await choosePhoto(page)
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A bright arch')
  await page.getByRole('link', { name: 'Home' }).first().click()
  const card = page.locator(`[data-post="${first?.id}"]`)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  const field = card.getByRole('textbox', { name: 'Add a comment...' })
  const comments = card.getByRole('list', { name: 'Comments', exact: true })
  const waiting = card.getByRole('list', { name: 'Comments that are not sent yet' }).getByRole('listitem')
  // The outbox has been loaded once a comment is sent.
  await field.fill('one')
  await field.press('Enter')
  await expect(comments).toContainText('one')

  problems.allow(
    /ERR_INTERNET_DISCONNECTED|: offline|WebSocket connection|live channel: Error: heartbeat timeout|load ahead: TypeError: Failed to fetch/,
  )
  await goOffline(page.context())
  for (const text of ['two', 'three']) {
    await field.fill(text)
    await field.press('Enter')
    await expect(waiting.filter({ hasText: text })).toContainText('Waiting for the connection…')
    await expect(field).toHaveValue('')
  }
  // Comments that were read before are shown, and the others once they can be read.
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(field).toHaveCount(0)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(comments).toContainText('one')
  await expect(waiting).toHaveCount(2)
  const another = page.locator(`[data-post="${unread.id}"]`)
  await another.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(another.getByText(offlineComments.comments)).toBeVisible()
  await another.getByRole('textbox', { name: 'Add a comment...' }).fill('from the tunnel')
  await page.keyboard.press('Enter')
  await expect(
    another.getByRole('list', { name: 'Comments that are not sent yet' }).getByRole('listitem'),
  ).toContainText('from the tunnel')

  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page).toHaveURL('/')
  const top = page.getByRole('feed').getByRole('article').first()
  await expect(top).toContainText('Out of the tunnel')
  await expect(top).toContainText('Waiting for the connection…')
  await expect(top.getByRole('img', { name: 'A bright arch' })).toBeVisible()
  await page.getByRole('link', { name: 'Create post' }).click()
  await expect(page.getByPlaceholder("What's on your mind?")).toHaveValue('')
  await page.getByRole('link', { name: 'Home' }).first().click()

  await longStep('comments that are refused are edited or sent again', async () => {
    const refusal = { status: 403, json: { code: '42501', message: 'Not now' } }
    const undo = await answerWith(page, /\/rest\/v1\/comments/, refusal, { method: 'POST' })
    problems.expect(/status of 403/, /send comment: forbidden/)
    await page.context().setOffline(false)
    await expect(waiting).toContainText([/two.*Could not be sent\./, /three.*Could not be sent\./])
    await problems.arrived()
    await undo()
    await waiting.first().getByRole('button', { name: 'Edit' }).click()
    await expect(field).toHaveValue('two')
    await field.press('Enter')
    await expect(comments).toContainText('two')
    await waiting.first().getByRole('button', { name: 'Try again' }).click()
  })
  await page.context().setOffline(false)
  await expect(top).not.toContainText('Waiting for the connection…')
  await expect(top.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
  await expect(another.getByRole('list', { name: 'Comments', exact: true })).toContainText('Not read before')
  await expect(another.getByText(offlineComments.comments)).toHaveCount(0)
  await expect(comments).toContainText('two')
  await expect(comments).toContainText('three')
  await expect(waiting).toHaveCount(0)

  const { data: stored } = await member.api
    .from('comments')
    .select('content')
    .eq('post_id', first?.id ?? '')
    .order('created_at')
  expect(stored).toEqual([{ content: 'one' }, { content: 'two' }, { content: 'three' }])
  const { data: posts } = await member.api
    .from('posts')
    .select('id,content,location')
    .eq('user_id', member.id)
    .not('id', 'in', `(${first?.id},${unread.id})`)
  expect(posts).toMatchObject([{ content: 'Out of the tunnel', location: 'Gotthard' }])
  expect(await storedPhoto(member, posts?.[0]?.id)).toMatchObject({ altText: 'A bright arch', width: 640 })
})
