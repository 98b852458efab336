import type { Request } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { addStory, viewer } from './fixtures/stories'
import { boxOf } from './support/boxes'
import { failRequests, holdRequests } from './support/network'
import { insertPosts, NEXT_PAGES } from './support/posts'
import { restingPlace } from './support/scroll'
import { expect, test } from './support/test'

test('PROF-06 a long grid renders few posts, loads more while scrolling, and restores its position on Back', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  test.slow()
  await insertPosts(member, 150, { thumbnailBytes: 300 })
  // Posts with the same time are sorted by id.
  const { data: newestFirst } = await member.api
    .from('posts')
    .select('id')
    .eq('user_id', member.id)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .throwOnError()
  const ids = newestFirst.map(({ id }) => id)
  expect(ids).toHaveLength(150)
  const asked: string[] = []
  page.on('request', (request) => {
    const url = decodeURIComponent(request.url())
    if (/\/rest\/v1\/posts\?/.test(url)) asked.push(url)
  })
  await page.goto(`/profile/${member.username}`)
  const cells = page.getByRole('tabpanel').getByRole('listitem')
  await expect(cells.first()).toBeVisible()
  // One page of rows, and no full picture.
  expect(asked.length).toBeLessThanOrEqual(2)
  expect(asked.filter((url) => url.includes('image_url'))).toEqual([])

  problems.expect(/rest\/v1\/posts/, /read grid/)
  const undo = await failRequests(page, NEXT_PAGES)
  await expect(async () => {
    await page.mouse.wheel(0, 2_000)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeInViewport({ timeout: 500 })
  }).toPass()
  await undo()
  await page.getByRole('button', { name: 'Try again' }).click()
  const last = cells.locator(`a[href$="${ids.at(-1)}"]`)
  await expect(async () => {
    await page.mouse.wheel(0, 2_000)
    await expect(last).toBeInViewport({ timeout: 500 })
  }).toPass()
  // All posts have loaded in order: this is the last of fifty rows.
  const [grid, cell] = await Promise.all([boxOf(page.getByRole('tabpanel').locator('ul')), boxOf(last)])
  expect(Math.round((grid.height + 6) / (cell.height + 6))).toBe(50)
  const links = await cells
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links.map((href) => href?.split('=')[1])).toEqual(ids.slice(-links.length))
  expect(await cells.count()).toBeLessThan(60)

  const offset = await restingPlace(page)
  expect(offset).toBeGreaterThan(3_000)
  const nextPages = () =>
    asked.filter((url) => url.includes(`user_id=eq.${member.id}`) && url.includes('lte')).length
  const reads = nextPages()
  expect(reads).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await expect(cells.first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(offset)
  expect(nextPages()).toBe(reads)
})

test('PROF-06 a grid of 5,000 posts opens with the requests of one of 20, and scrolls far down', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  test.slow()
  const few = await newMember({ fullName: `Followed by ${member.username}` })
  const many = await newMember()
  await insertPosts(few, 20, { thumbnailBytes: 300 })
  await insertPosts(many, 5_000, { thumbnailBytes: 300 })
  const cells = page.getByRole('tabpanel').getByRole('listitem')

  /** The cost of opening a profile: requests to the server, and DOM nodes afterwards. */
  const cost = async (username: string) => {
    const requests: string[] = []
    const note = (request: Request) => {
      const { pathname } = new URL(request.url())
      // The badges and sign-ins are refetched once the live connection is open, at any time; a device is registered once.
      if (/\/rest\/v1\/(?!rpc\/(?:unread_|new_sign_ins|register_device))/.test(pathname))
        requests.push(`${request.method()} ${pathname}`)
    }
    page.on('request', note)
    // The last request.
    const last = page.waitForResponse(/rest\/v1\/mutes/)
    await page.goto(`/profile/${username}`)
    await expect(cells.first().getByRole('img')).toBeVisible()
    await last
    await page.waitForLoadState('networkidle')
    page.off('request', note)
    return { requests: requests.sort(), cells: await cells.count(), nodes: await page.locator('*').count() }
  }
  const small = await cost(few.username)
  const large = await cost(many.username)
  expect(large.requests).toEqual(small.requests)
  expect(large.cells).toBeLessThanOrEqual(small.cells + 3)
  // A few rows more than twenty posts fill: three cells with a link and a picture each, and a spinner.
  expect(large.nodes).toBeLessThanOrEqual(small.nodes + 40)

  // Far down, after loading hundreds of posts, the page renders no more of them.
  await expect(async () => {
    await page.mouse.wheel(0, 20_000)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(40_000)
  }).toPass()
  await expect(cells.first().getByRole('img')).toBeVisible()
  expect(await cells.count()).toBeLessThan(60)
})

test('PROF-01 PROF-02 STORY-07 a profile moves no name while it loads, and its picture has the ring of the member’s stories and plays them', async ({
  page,
  member: _viewer,
  newMember,
}) => {
  const author = await newMember()
  const [post] = await insertPosts(author, 1)
  await page.goto('/')
  const held = await holdRequests(page, /\/rest\/v1\/profiles\?.*username=eq/)
  const card = page.locator(`article[data-post="${post}"]`)
  await card.getByRole('link', { name: author.username }).first().click()
  await held.arrived
  const name = page.getByRole('heading', { level: 1, name: author.username })
  const loading = await boxOf(name)
  await held.release()
  const picture = page.getByRole('button', { name: texts.stories.ofMember(author.username) })
  await expect(page.getByRole('main').getByRole('button', { name: 'Follow' })).toBeVisible()
  expect((await boxOf(name)).y, 'the name does not move').toBe(loading.y)
  await expect(picture).toHaveCount(0)
  await addStory(author, { content: 'Low tide' })
  await page.reload()
  await expect(picture).toHaveAttribute('aria-description', texts.strip.unseen)
  await picture.press('Enter')
  await expect(viewer(page, author.username).getByText('Low tide')).toBeVisible()
  const views = () => author.api.from('story_views').select('viewer_id').throwOnError()
  await expect.poll(async () => (await views()).data).toHaveLength(1)
  await page.keyboard.press('Escape')
  await expect(picture).toBeFocused()
  await expect(picture).toHaveAttribute('aria-description', texts.strip.seen)
})

test('PROF-10 the focus stays in the grid when its post is deleted', {
  tag: '@long',
}, async ({ page, member }) => {
  const ids = await insertPosts(member, 3)
  await page.goto(`/profile/${member.username}`)
  const cell = (id = '') => page.locator(`a[href*="${id}"]`)
  const [oldest, middle, newest] = ids
  await cell(middle).press('Enter')
  await page.getByRole('button', { name: 'Post options' }).click()
  await page.getByRole('menuitem', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(cell(middle)).toHaveCount(0)
  await expect(page.getByRole('main').locator('a[href*="post="]')).toHaveCount(2)
  await expect(page.locator(':focus')).toHaveAttribute('href', new RegExp(`${oldest}|${newest}`))
})
