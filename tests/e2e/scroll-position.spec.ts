import type { Locator, Page } from '@playwright/test'
import { startConversation, write } from './support/conversations'
import { readDisk } from './support/disk-cache'
import { insertPosts } from './support/posts'
import { restingPlace } from './support/scroll'
import { expect, test } from './support/test'

const topOf = async (item: Locator) => Math.round((await item.boundingBox())?.y ?? Number.NaN)

function cell(page: Page, id: string): Locator {
  return page.locator(`[data-item="${id}"]`)
}

/** Scrolls until the cell is on screen, and gives the first cell on screen and its place, once they are on disk. */
async function scrollTo(page: Page, id: string, list: string): Promise<{ id: string; top: number }> {
  await expect(async () => {
    await page.mouse.wheel(0, 400)
    await expect(cell(page, id)).toBeInViewport({ ratio: 1, timeout: 200 })
  }).toPass()
  await restingPlace(page)
  let position = { id, top: 0 }
  await expect(async () => {
    position = (await readDisk(page))[list] as typeof position
    expect(Math.round(position.top)).toBe(await topOf(cell(page, position.id)))
  }).toPass()
  return { id: position.id, top: Math.round(position.top) }
}

/** How far the page's content has moved without the member's doing since the page was opened. */
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

test('PROF-06 FEED-18 a grid opens at its last position after a restart, on a later page too, and new posts wait above it', async ({
  context,
  member,
  newMember,
  page,
  problems,
}) => {
  problems.allow(/live channel/)
  const author = await newMember()
  expect(author.id).not.toBe(member.id)
  // The first one is on the second page.
  const ids = await insertPosts(author, 45)
  const [read = ''] = ids.slice(5)
  const list = JSON.stringify(['scroll', 'grid', 'posts', author.id])
  await page.goto(`/profile/${author.username}`)
  await expect(page.getByRole('tabpanel').getByRole('link').first()).toBeVisible()
  await page.mouse.move(600, 600)
  const seen = await scrollTo(page, read, list)
  await page.close()

  const [newer = ''] = await insertPosts(author, 1, { content: () => 'Posted meanwhile' })
  const next = await context.newPage()
  await next.goto(`/profile/${author.username}`)
  await expect.poll(() => topOf(cell(next, seen.id))).toBe(seen.top)
  await expect(next.getByText('46', { exact: true })).toBeAttached()
  expect(await topOf(cell(next, seen.id))).toBe(seen.top)

  // At the top the new post appears, without a layout shift.
  await next.mouse.move(600, 600)
  await expect(async () => {
    await next.mouse.wheel(0, -2_000)
    await expect(cell(next, newer)).toBeInViewport({ timeout: 200 })
  }).toPass()
  expect(await layoutShift(next)).toBeLessThanOrEqual(0.02)

  // Opened by a link, it starts at its beginning.
  await next.mouse.wheel(0, 900)
  await restingPlace(next)
  await next.getByRole('link', { name: 'Home' }).first().click()
  await expect(next.getByRole('feed')).toBeVisible()
  await next.locator(`[data-post="${newer}"]`).getByRole('link', { name: author.username }).first().click()
  await expect(cell(next, newer)).toBeInViewport()
})

test('PROF-06 a new post at the start of a cached grid moves nothing that the member looks at', async ({
  member,
  newMember,
  page,
}) => {
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

test('FEED-16 Explore returns to its position on Back and after a reload', async ({
  member,
  newMember,
  page,
}) => {
  const author = await newMember()
  expect(author.id).not.toBe(member.id)
  const ids = await insertPosts(author, 30, { thumbnailBytes: 900 })
  const [read = ''] = ids
  await page.goto('/?explore')
  await expect(page.getByRole('region', { name: 'Recent photos' }).getByRole('link').first()).toBeVisible()
  await page.mouse.move(600, 600)
  const list = JSON.stringify(['scroll', 'grid', 'explore', ''])
  const seen = await scrollTo(page, read, list)
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
  await page.goBack()
  await expect.poll(() => topOf(cell(page, seen.id))).toBe(seen.top)
  await page.reload()
  await expect.poll(() => topOf(cell(page, seen.id))).toBe(seen.top)
})

test('MSG-01 the list of conversations returns to its position on Back and after a reload', async ({
  member,
  newMember,
  page,
}) => {
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
  await expect.poll(() => topOf(oldest)).toBe(top)
  await page.reload()
  await expect.poll(() => topOf(oldest)).toBe(top)
})
