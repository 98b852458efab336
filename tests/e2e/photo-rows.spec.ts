import type { Locator } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { violations } from './support/axe'
import { boxOf } from './support/boxes'
import { longStep } from './support/long-step'
import { insertPhotoPost } from './support/photo-posts'
import { png } from './support/png'
import { insertPosts } from './support/posts'
import { restingPlace } from './support/scroll'
import { expect, type Member, test } from './support/test'

const WIDE = { width: 2_560, height: 1_440 }
const SHAPES = [
  [150, 100],
  [80, 100],
  [100, 100],
  [90, 160],
  [160, 90],
] as const

/** Posts with a photo each, of several proportions; the newest is a text. */
async function insertPhotos(author: Member, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const size = SHAPES[index % SHAPES.length] ?? [100, 100]
    await insertPhotoPost(author, [{ size, altText: `Photo ${index} of ${size.join(' by ')}` }])
  }
  await insertPosts(author, 1, { content: () => 'A text on the wall' })
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  /** Width divided by height of the photo; null for a text. */
  ratio: number | null
}

/** The cells on the page, in order. */
function boxes(cells: Locator): Promise<Box[]> {
  return cells.evaluateAll((all) =>
    all.map((cell) => {
      const { x, y, width, height } = cell.getBoundingClientRect()
      const [, across, down] = /of (\d+) by (\d+)/.exec(cell.querySelector('img')?.alt ?? '') ?? []
      return { x, y, width, height, ratio: across === undefined ? null : Number(across) / Number(down) }
    }),
  )
}

/** The id of the first cell below the header. */
async function firstInView(cells: Locator): Promise<string> {
  const id = await cells.evaluateAll((all) =>
    all.find((cell) => cell.getBoundingClientRect().bottom > 80)?.getAttribute('data-item'),
  )
  if (id == null) throw new Error('No photo is on screen.')
  return id
}

test('FEED-21 the wall shows the chosen feed as whole photos in rows, by mouse and keys, in wide windows only', {
  tag: '@steps',
}, async ({ page, member, newMember }) => {
  const friend = await newMember()
  await insertPhotos(friend, 20)
  await insertPhotoPost(await newMember(), [{ size: [100, 100], altText: 'A stranger’s' }])
  await member.api.from('follows').insert({ follower_id: member.id, following_id: friend.id }).throwOnError()
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const wall = page.getByRole('list', { name: texts.feed.label })
  const cells = wall.getByRole('listitem')
  const link = (index: number) => cells.nth(index).getByRole('link')

  await page.setViewportSize(WIDE)
  await page.goto('/')
  await expect(tab('Wall')).toHaveAttribute('title', 'Everyone, photos side by side')
  await tab('Following').click()
  await expect(tab('Wall')).toHaveAttribute('title', 'Following, photos side by side')
  await tab('Wall').click()
  await expect(cells).toHaveCount(21)

  await test.step('rows are 280 to 360 px high, fill the width, and keep the photos’ proportions', async () => {
    const all = await boxes(cells)
    const last = all.at(-1)?.y ?? 0
    const full = all.filter(({ y }) => y < last)
    expect(new Set(full.map(({ y }) => y)).size).toBeGreaterThan(1)
    const edge = Math.max(...full.map(({ x, width }) => x + width))
    for (const y of new Set(full.map((box) => box.y))) {
      const row = full.filter((box) => box.y === y)
      expect(row[0]?.height).toBeGreaterThanOrEqual(280)
      expect(row[0]?.height).toBeLessThanOrEqual(360)
      expect(Math.max(...row.map(({ x, width }) => x + width))).toBeCloseTo(edge, -1)
    }
    for (const { width, height, ratio } of all)
      if (ratio !== null) expect(Math.abs(width / height - ratio)).toBeLessThan(0.02)
    await expect(link(0)).toHaveText('A text on the wall')
    await expect(page.getByRole('img', { name: 'A stranger’s' })).toHaveCount(0)
    expect(await violations(page, 'light', 'main')).toEqual([])
  })

  await longStep('counts show on hover, and are the description', async () => {
    await expect(link(1)).toHaveAttribute('aria-description', '0 likes, 0 comments')
    await expect(cells.nth(1)).toHaveText('')
    await link(1).hover()
    await expect(cells.nth(1)).toHaveText('00')
    await page.mouse.move(2, 2)
    await expect(cells.nth(1)).toHaveText('')
  })

  await test.step('j, k and arrows move between photos, Enter opens the post', async () => {
    await tab('Wall').focus()
    await page.keyboard.press('j')
    await expect(link(0)).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('k')
    await expect(link(1)).toBeFocused()
    await expect(cells.nth(1)).toHaveText('00')
    const before = await boxOf(cells.nth(1))
    await page.keyboard.press('ArrowDown')
    await expect(link(1)).not.toBeFocused()
    const focused = page.locator('[data-item]').filter({ has: page.locator(':focus') })
    expect((await boxOf(focused)).y).toBeGreaterThan(before.y)
    await page.keyboard.press('ArrowUp')
    await expect(link(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\?post=/)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link(1)).toBeFocused()
  })

  await longStep('the choice is remembered; a narrower window shows the feed', async () => {
    await page.reload()
    await expect(tab('Wall')).toHaveAttribute('aria-selected', 'true')
    await expect(cells).toHaveCount(21)
    await page.setViewportSize({ width: 1_400, height: 900 })
    await expect(tab('Wall')).toHaveCount(0)
    await expect(tab('Following')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('feed').getByRole('article').first()).toBeVisible()
    await page.setViewportSize(WIDE)
    await expect(cells.first()).toBeVisible()
    await tab('Following').click()
    await page.reload()
    await expect(page.getByRole('feed')).toBeVisible()
  })
})

test('PROF-06 FEED-21 a profile shows squares or whole photos as chosen, and keeps its place', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  await insertPhotos(member, 24)
  await insertPhotoPost(await newMember(), [{ size: [100, 100] }])
  const cells = page.getByRole('tabpanel').getByRole('listitem')
  const choose = (name: string) => page.getByRole('group', { name: 'Layout' }).getByRole('button', { name })
  await page.setViewportSize({ width: 1_920, height: 1_080 })
  await page.goto(`/profile/${member.username}`)
  await expect(cells.first()).toBeVisible()
  const squares = await boxes(cells)
  expect(new Set(squares.map(({ x }) => x)).size).toBe(3)
  for (const { width, height } of squares) expect(Math.abs(width - height)).toBeLessThan(1)
  expect((await page.getByRole('main').boundingBox())?.width).toBe(1_680)

  await page.mouse.move(900, 900)
  await page.mouse.wheel(0, 1_700)
  await restingPlace(page)
  const first = await firstInView(cells)
  expect(first).not.toBe(await cells.first().getAttribute('data-item'))
  // Not a click, which would scroll to the button.
  await choose('Photos').dispatchEvent('click')
  await expect(page.locator(`[data-item="${first}"]`)).toBeInViewport()
  for (const { width, height, ratio } of await boxes(cells))
    if (ratio !== null) expect(Math.abs(width / height - ratio)).toBeLessThan(0.02)
  await expect(choose('Photos')).toHaveAttribute('aria-pressed', 'true')

  await page.goto(`/profile/${member.username}`)
  await expect(choose('Photos')).toHaveAttribute('aria-pressed', 'true')
  const [, one, two] = await boxes(cells)
  expect(one?.width).not.toBe(two?.width)
  await test.step('in a right-to-left page the first is on the right, and nothing leaves the window', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const edges = async () => {
      const [first, second] = await boxes(cells)
      return [(first?.x ?? 0) > (second?.x ?? 0), (first?.x ?? 0) + (first?.width ?? 0) > 1_500]
    }
    await expect.poll(edges).toEqual([true, true])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1_920)
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    await expect.poll(edges).toEqual([false, false])
  })
  expect(await violations(page, 'light', 'main')).toEqual([])
  await page.goto('/?explore')
  await expect(choose('Photos')).toHaveAttribute('aria-pressed', 'true')
})

for (const count of [2_000, 10_000])
  test(`FEED-21 ${count} photos scroll with a few rows rendered`, {
    tag: '@long',
  }, async ({ page, member }) => {
    const picture = `data:image/png;base64,${png(3, 2, () => [120, 90, 60]).toString('base64')}`
    const newest = Date.UTC(2026, 0, 1)
    const posts = Array.from({ length: count }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      created_at: new Date(newest - index * 1_000).toISOString(),
      user_id: member.id,
      content: '',
      thumbnail_url: picture,
      image_width: 60 + (index % 13) * 10,
      image_height: 100,
      alt_text: `Photo ${index}`,
      location: null,
      edited_at: null,
      like_count: 0,
      comment_count: 0,
      media: [],
      author: { username: member.username, full_name: member.username, avatar_url: null, avatar_path: null },
      my_like: [],
      my_save: [],
    }))
    // Pages of a thousand, the most rows that the app takes at once.
    await page.route(/\/rest\/v1\/posts\?.*user_id=eq\./, (route) => {
      const last = new URL(route.request().url()).searchParams.get('created_at')?.replace(/^lte\./, '')
      const start = last === undefined ? 0 : (newest - Date.parse(last)) / 1_000 + 1
      return route.fulfill({ json: posts.slice(start, start + 1_000) })
    })
    await page.setViewportSize(WIDE)
    await page.goto(`/profile/${member.username}`)
    await page.getByRole('button', { name: 'Photos' }).click()
    const photo = (index: number) => page.getByRole('img', { name: `Photo ${index}`, exact: true })
    await expect(photo(0)).toBeInViewport()
    const rendered = page.getByRole('tabpanel').getByRole('listitem')
    expect(await rendered.count()).toBeLessThan(120)
    // Each end of the page loads the next one.
    await expect(async () => {
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }))
      await expect(photo(count - 1)).toBeInViewport({ timeout: 300 })
    }).toPass()
    expect(await rendered.count()).toBeLessThan(120)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(30 * count)
    const first = await firstInView(page.getByRole('tabpanel').getByRole('listitem'))
    await page.getByRole('button', { name: 'Grid' }).dispatchEvent('click')
    await expect(page.getByRole('button', { name: 'Grid' })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.locator(`[data-item="${first}"]`)).toBeInViewport()
  })
