import type { Locator, Page } from '@playwright/test'
import { boxOf } from './support/boxes'
import { startConversation, write } from './support/conversations'
import { readDisk } from './support/disk-cache'
import { insertPosts } from './support/posts'
import { restingPlace } from './support/scroll'
import { expect, test } from './support/test'

/** Where the item is on screen, in pixels; NaN if it is not rendered. */
async function topOf(item: Locator): Promise<number> {
  const [top = Number.NaN] = await item.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().top),
  )
  return top
}

/** The distance of the item from that position, in pixels; up to 1, because browsers place rows on whole pixels. */
async function distance(item: Locator, top: number): Promise<number> {
  return Math.abs((await topOf(item)) - top)
}

function cell(page: Page, id: string): Locator {
  return page.locator(`[data-item="${id}"]`)
}

/** The first cell on screen and its position, once the page is idle and both are on disk. */
async function savedPosition(page: Page, list: string): Promise<{ id: string; top: number }> {
  await restingPlace(page)
  let position = { id: '', top: 0 }
  await expect(async () => {
    position = (await readDisk(page))[list] as typeof position
    expect(await distance(cell(page, position.id), position.top)).toBeLessThanOrEqual(1)
  }).toPass({ timeout: 60_000 })
  return position
}

/** The sum of layout shifts that the member did not cause since the page was opened. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        }
        if (!hadRecentInput) sum += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return sum
  })
}

test('PROF-06 FEED-18 a grid has three columns, and opens at its last position after a restart, on a later page too, and new posts wait above it', {
  tag: '@long',
}, async ({ context, member, newMember, page, problems }) => {
  problems.allow(/live channel/)
  const author = await newMember()
  expect(author.id).not.toBe(member.id)
  const ids = await insertPosts(author, 45)
  const list = JSON.stringify(['scroll', 'grid', 'posts', author.id])
  await page.goto(`/profile/${author.username}`)
  const cells = page.getByRole('tabpanel').getByRole('listitem')
  await expect(cells.first()).toBeVisible()
  const [first, second, third, fourth] = await Promise.all([0, 1, 2, 3].map((n) => boxOf(cells.nth(n))))
  expect([second?.y, third?.y, fourth?.x], 'three columns').toEqual([first?.y, first?.y, first?.x])
  expect(fourth?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0))
  await page.mouse.move(600, 600)
  // Scroll to the second page. The oldest twenty posts have the same time, and so any order.
  let seen = { id: '', top: 0 }
  await expect(async () => {
    await page.mouse.wheel(0, 2_000)
    seen = await savedPosition(page, list)
    expect(ids.slice(0, 20)).toContain(seen.id)
  }).toPass({ timeout: 60_000 })
  await page.close()

  const [newer = ''] = await insertPosts(author, 1, { content: () => 'Posted meanwhile' })
  const next = await context.newPage()
  await next.goto(`/profile/${author.username}`)
  await expect.poll(() => distance(cell(next, seen.id), seen.top)).toBeLessThanOrEqual(1)
  await expect(next.getByText('46', { exact: true })).toBeAttached()
  expect(await distance(cell(next, seen.id), seen.top)).toBeLessThanOrEqual(1)

  // At the top the new post appears, without a layout shift.
  await next.mouse.move(600, 600)
  await expect(async () => {
    await next.mouse.wheel(0, -2_000)
    await expect(cell(next, newer)).toBeInViewport({ timeout: 200 })
  }).toPass({ timeout: 60_000 })
  expect(await layoutShift(next)).toBeLessThanOrEqual(0.02)

  // Opened by a link, it starts at its beginning.
  await next.mouse.wheel(0, 900)
  await restingPlace(next)
  await next.getByRole('link', { name: 'Home' }).first().click()
  await expect(next.getByRole('feed')).toBeVisible()
  await next.locator(`[data-post="${newer}"]`).getByRole('link', { name: author.username }).first().click()
  await expect(cell(next, newer)).toBeInViewport()
})

test('PROF-06 a new post at the start of a cached grid moves nothing that the member looks at', {
  tag: '@long',
}, async ({ member, newMember, page }) => {
  const author = await newMember()
  expect(author.id).not.toBe(member.id)
  const ids = await insertPosts(author, 30)
  const last = ids.at(-1) ?? ''
  await page.goto(`/profile/${author.username}`)
  await expect(cell(page, last)).toBeVisible()
  await expect.poll(() => readDisk(page)).toHaveProperty([JSON.stringify(['grid', 'posts', author.id])])
  const [newer = ''] = await insertPosts(author, 1)
  await page.reload()
  await expect(cell(page, newer)).toBeVisible()
  await expect(cell(page, last)).toBeVisible()
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02)
})

test('FEED-16 Explore returns to its position on Back and after a reload', { tag: '@long' }, async ({
  member,
  newMember,
  page,
}) => {
  const author = await newMember()
  expect(author.id).not.toBe(member.id)
  await insertPosts(author, 30, { thumbnailBytes: 900 })
  await page.goto('/?explore')
  await expect(
    page.getByRole('region', { name: 'Recent photos and videos' }).getByRole('link').first(),
  ).toBeVisible()
  await page.mouse.move(600, 600)
  await page.mouse.wheel(0, 1_500)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000)
  const seen = await savedPosition(page, JSON.stringify(['scroll', 'grid', 'explore', '']))
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
  await page.goBack()
  await expect.poll(() => distance(cell(page, seen.id), seen.top)).toBeLessThanOrEqual(1)
  await page.reload()
  await expect.poll(() => distance(cell(page, seen.id), seen.top)).toBeLessThanOrEqual(1)
})

test('MSG-01 the list of conversations returns to its position on Back and after a reload', {
  tag: '@long',
}, async ({ member, newMember, page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  const others = await Promise.all(Array.from({ length: 12 }, () => newMember()))
  for (const other of others) await write(member, await startConversation(member, other), 'Hello')
  await page.goto('/messages')
  const rows = page.getByRole('list', { name: 'Conversations' })
  const oldest = rows.getByRole('listitem').filter({ hasText: others[0]?.username ?? '' })
  await rows.hover()
  await page.mouse.wheel(0, 2_000)
  await expect(oldest).toBeInViewport()
  const list = JSON.stringify(['scroll', 'conversations', 'inbox'])
  await expect.poll(() => readDisk(page)).toHaveProperty([list])
  const top = await topOf(oldest)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toHaveCount(0)
  await page.goBack()
  await expect.poll(() => distance(oldest, top)).toBeLessThanOrEqual(1)
  await page.reload()
  await expect.poll(() => distance(oldest, top)).toBeLessThanOrEqual(1)
})
