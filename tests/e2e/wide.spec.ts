import { navigation, openAccountMenu } from './support/auth-forms'
import { boxOf } from './support/boxes'
import { longStep } from './support/long-step'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'
import { visit } from './support/visit'

/** Links and buttons of the rail, in their order. */
const RAIL = [
  'Vignette',
  'Home',
  'Explore',
  'Messages',
  'Notifications',
  'Create post',
  'Saved',
  'Profile',
  'Account menu',
]

const SIZES = [
  { width: 1280, height: 400, hasWords: false, isFlipped: true },
  { width: 1600, height: 900, hasWords: true, isFlipped: false },
]
const OTHER_SIZES = [
  { width: 1264, height: 860, hasWords: false, isFlipped: false },
  { width: 1600, height: 900, hasWords: true, isFlipped: true },
  { width: 2560, height: 1440, hasWords: true, isFlipped: false },
]

test('FEED-21 NAV-01 wide windows have a rail at the inline start, with words from 1600 px', {
  tag: '@steps',
}, async ({ page, member }) => {
  await page.goto('/')
  const rail = navigation(page)
  await expect(rail).toBeVisible()
  const expectRail = ({ width, height, hasWords, isFlipped }: (typeof SIZES)[number]) =>
    test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await page.evaluate(
        (dir) => document.documentElement.setAttribute('dir', dir),
        isFlipped ? 'rtl' : 'ltr',
      )
      const box = await boxOf(rail)
      expect(box.width).toBeLessThanOrEqual(240)
      expect(Math.abs(isFlipped ? width - box.x - box.width : box.x)).toBeLessThanOrEqual(1)
      let top = 0
      for (const name of RAIL) {
        const item = rail
          .getByRole('link', { name, exact: true })
          .or(rail.getByRole('button', { name, exact: true }))
        await expect(item).toBeInViewport({ ratio: 1 })
        const place = await boxOf(item)
        expect(place.y).toBeGreaterThanOrEqual(top)
        expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(24)
        top = place.y + place.height
      }
      for (const word of ['Explore', 'Create', 'Notifications', 'Account menu'])
        await expect(rail.getByText(word, { exact: true })).toHaveCount(hasWords ? 1 : 0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)

      // An icon opens the search where there are no words.
      const search = rail.getByRole('combobox', { name: 'Search' })
      const closed = (await boxOf(search)).width
      await search.fill('nobody like this')
      const open = (await boxOf(search)).width
      expect(open > closed).toBe(!hasWords)
      await expect(page.getByRole('listbox', { name: 'Search' })).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await search.fill('')

      const notifications = page.getByRole('dialog', { name: 'Notifications' })
      await rail.getByRole('button', { name: 'Notifications' }).click()
      await expect(notifications).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect((await openAccountMenu(page)).getByRole('menuitem', { name: 'Sign Out' })).toBeInViewport({
        ratio: 1,
      })
      await page.keyboard.press('Escape')
    })
  await longStep('in other windows', async () => {
    for (const size of OTHER_SIZES) await expectRail(size)
  })
  for (const size of SIZES) await expectRail(size)

  await page.setViewportSize({ width: 2560, height: 1440 })
  expect((await boxOf(page.getByRole('main'))).width).toBe(760)
  const aside = page.getByRole('complementary', { name: 'People, hashtags and messages' })
  expect((await boxOf(aside)).x).toBeGreaterThan(1_000)
  await rail.getByRole('link', { name: 'Saved', exact: true }).click()
  await expect(page).toHaveURL(`/profile/${member.username}?tab=saved`)
  await expect(rail.locator('[aria-current]')).toHaveAccessibleName('Saved')
  await rail.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
  await expect(rail.locator('[aria-current]')).toHaveAccessibleName('Profile')
  await visit(page, '/?explore')
  await expect(rail.locator('[aria-current]')).toHaveAccessibleName('Explore')
  // The results of a search are not a page of the navigation.
  await visit(page, '/?q=harbour')
  await expect(rail.locator('[aria-current]')).toHaveCount(0)
})

test('FEED-21 an open popup, a typed search and the position stay when the bar becomes the rail', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertPosts(member, 12)
  await page.setViewportSize({ width: 1263, height: 860 })
  await page.goto('/')
  const nav = navigation(page)
  await expect(nav).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Explore' })).toHaveCount(0)

  const search = nav.getByRole('combobox', { name: 'Search' })
  await search.fill('nobody like this')
  await page.setViewportSize({ width: 1264, height: 860 })
  await expect(nav.getByRole('link', { name: 'Explore' })).toBeVisible()
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('nobody like this')
  await expect(page.getByRole('listbox', { name: 'Search' })).toBeInViewport({ ratio: 1 })
  await search.fill('')

  await nav.getByRole('button', { name: 'Notifications' }).click()
  const notifications = page.getByRole('dialog', { name: 'Notifications' })
  await expect(notifications).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1263, height: 860 })
  await expect(page.locator('header nav a[aria-label=Explore]')).toHaveCount(0)
  await expect(notifications).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(notifications).toHaveCount(0)

  // j scrolls a post to just below the bar; the rail covers nothing.
  for (const [width, least, most] of [
    [1263, 57, 80],
    [1264, 0, 24],
  ] as const) {
    await page.setViewportSize({ width, height: 860 })
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const top = async () => (await boxOf(page.locator('article:focus'))).y
    await expect.poll(top).toBeLessThanOrEqual(most)
    expect(await top()).toBeGreaterThanOrEqual(least)
  }
})
