import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { startConversation, write } from './support/conversations'
import { message } from './support/messages-page'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** A pasted link cannot be wrapped. */
const LINK = `https://example.com/${'maps-and-more'.repeat(14)}`

/** Nothing extends beyond the window, and the control is completely visible. */
async function expectFits(page: Page, control: string | RegExp): Promise<void> {
  await expect(page.getByRole('button', { name: control, exact: true })).toBeInViewport({ ratio: 1 })
  const { reach, width } = await page.evaluate(() => ({
    reach: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }))
  expect(reach).toBeLessThanOrEqual(width)
}

test('CREATE-01 EDIT-02 FEED-16 FEED-17 MSG-03 PROF-02 long words and names do not widen any form, even in narrow windows', {
  tag: '@long',
}, async ({ newMember, openAs }) => {
  const member = await newMember()
  const other = await newMember({
    // The longest name that is allowed, in the widest letters.
    username: `${'w'.repeat(20)}${randomBytes(5).toString('hex')}`,
    fullName: 'Wilhelmina Featherstonehaugh-Cholmondeley of Upper Slaughter',
  })
  const conversation = await startConversation(member, other)
  const page = await openAs(member)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 860 })
    await page.goto('/create')
    await page.getByPlaceholder("What's on your mind?").fill(LINK)
    await expectFits(page, /^Choose (a photo|photos)$/)

    await page.goto('/edit-profile')
    await page.getByLabel('Bio').fill('W'.repeat(200))
    await page.getByRole('button', { name: 'Save Changes' }).scrollIntoViewIfNeeded()
    await expectFits(page, 'Save Changes')

    await page.goto(`/messages?c=${conversation}`)
    await page.getByPlaceholder('Type a message...').fill(LINK)
    await expectFits(page, 'Send')

    await page.goto(`/profile/${other.username}`)
    const name = page.getByRole('heading', { level: 1, name: other.username })
    await expect(name).toBeVisible()
    expect(
      await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0)
    await expect(name).not.toHaveCSS('text-overflow', 'ellipsis')
    await expectFits(page, 'Follow')

    await page.getByRole('main').getByRole('button', { name: 'Share' }).click()
    const sharing = page.getByRole('dialog')
    await expect(sharing.getByRole('checkbox')).toHaveCount(1)
    expect(
      await sharing.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0)
  }

  // The narrowest window with wide margins.
  await page.setViewportSize({ width: 640, height: 860 })
  await page.goto('/?explore')
  await expect(page.getByRole('region', { name: 'People to follow' })).toBeVisible()
  await expectFits(page, 'Notifications')
})

/** Turns what follows it around, and ends the isolation of `bdi`; 72 letters without a space. */
const HOSTILE_NAME = `\u2069\u202e${'W'.repeat(70)}`

test('ACC-04 MSG-03 MSG-14 PROF-02 long texts are folded and can be unfolded by keyboard, names turn nothing around', async ({
  page,
  member,
  other,
}) => {
  await other.api
    .from('profiles')
    .update({ full_name: HOSTILE_NAME, bio: `First line${'\n'.repeat(480)}Last` })
    .eq('id', other.id)
    .throwOnError()
  const conversation = await startConversation(other, member)
  const lines = `First line${'\n'.repeat(2900)}https://example.com/needle`
  await write(other, conversation, lines)
  await write(other, conversation, 'short')

  await page.goto(`/profile/${other.username}`)
  const name = page.locator('bdi').filter({ hasText: /W{70}/ })
  await expect(name).toHaveText(`\u202e${'W'.repeat(70)}`)
  await expect(page.getByRole('tab', { name: 'POSTS' })).toBeInViewport()
  await expectFits(page, 'Message')
  const bio = page.getByRole('main').getByRole('button', { name: 'More', exact: true })
  await expect(bio).toHaveAttribute('aria-expanded', 'false')
  await bio.focus()
  await page.keyboard.press('Enter')
  const less = page.getByRole('main').getByRole('button', { name: 'Less', exact: true })
  await expect(less).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('tab', { name: 'POSTS' })).not.toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByText('First line')).toBeInViewport()
  await expect(page.getByText('First line')).toHaveCSS('white-space-collapse', 'preserve')

  await page.goto(`/messages?c=${conversation}`)
  const long = message(page, 'needle')
  await expect(long.getByRole('button', { name: 'More', exact: true })).toBeVisible()
  expect((await long.boundingBox())?.height).toBeLessThan(500)
  // All of it is in the page, so that a selection copies all of it.
  await expect(long.getByRole('paragraph').first()).toHaveText(lines, { useInnerText: false })
  // The next stop of Tab may be in the hidden part.
  await long.getByRole('link').focus()
  await expect(long.getByRole('button', { name: 'Less', exact: true })).toBeAttached()
  await expect(long.getByRole('link')).toBeInViewport()

  await page.goto('/messages')
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('needle')
  await page.getByRole('list', { name: 'Found messages' }).getByRole('link').click()
  await expect(long.getByRole('button', { name: 'Less', exact: true })).toBeAttached()
})

/** Fills several lines. */
const HEBREW = 'השפל בנמל, והסירות נחות על החול עד שהמים חוזרים. '.repeat(40)

test('ACC-04 a right-to-left text begins at the right of its paragraph, so that the “…” of a folded one stands at its end', {
  tag: '@long',
}, async ({ page, member, other }) => {
  await other.api
    .from('profiles')
    .update({ bio: HEBREW.slice(0, 500) })
    .eq('id', other.id)
    .throwOnError()
  const [post = ''] = await insertPosts(other, 1, { content: () => HEBREW })
  await member.api
    .from('comments')
    .insert({ post_id: post, user_id: member.id, content: HEBREW.slice(0, 900) })
    .throwOnError()
  const conversation = await startConversation(other, member)
  await write(other, conversation, HEBREW)
  /** Between the first line and the right edge of its paragraph, in pixels. */
  const gap = (paragraph: Locator) =>
    paragraph.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
      const top = Math.min(...boxes.map((box) => box.top))
      const ends = boxes.flatMap((box) => (box.top < top + 5 ? [box.right] : []))
      const edge =
        element.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(element).paddingRight)
      return edge - Math.max(...ends)
    })
  const folded = page.getByRole('paragraph').filter({ hasText: 'השפל' })
  for (const [address, count] of [
    [`/profile/${other.username}`, 1],
    [`/messages?c=${conversation}`, 1],
    [`/?post=${post}`, 2],
  ] as const) {
    await page.goto(address)
    await expect(folded).toHaveCount(count)
    for (const paragraph of await folded.all()) expect.soft(await gap(paragraph), address).toBeLessThan(1)
  }
})
