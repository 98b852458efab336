import type { Request } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { addStory, viewer } from './fixtures/stories'
import { pressSignOut } from './support/auth-forms'
import { boxOf } from './support/boxes'
import { failRequests, holdRequests } from './support/network'
import { dataUrl, noisePng } from './support/png'
import { insertPosts, NEXT_PAGES } from './support/posts'
import { restingPlace } from './support/scroll'
import { expect, type Member, test } from './support/test'
import { visit } from './support/visit'

const PROFILES = /\/rest\/v1\/profiles\?.*username=eq/

/** Updates the row of the signed-in member. */
async function changeProfile(
  member: Member,
  change: { bio?: string; website?: string; avatar_url?: string; is_private?: boolean },
): Promise<void> {
  const { error } = await member.api.from('profiles').update(change).eq('id', member.id)
  if (error) throw error
}

test('PROF-01 PROF-03 PROF-05 PROF-06 PROF-07 PROF-08 PROF-09 the member’s own profile shows a spinner, its buttons and empty tabs', async ({
  page,
  member,
  newMember,
}) => {
  const held = await holdRequests(page, PROFILES)
  await page.goto(`/profile/${member.username}`)
  await held.arrived
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await held.release()
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()

  await test.step('PROF-05 to PROF-09 the tabs and their empty states', async () => {
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await expect(page.getByRole('tab')).toHaveText(['POSTS', 'SAVED', 'TAGGED'])
    await expect(tab('POSTS')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('heading', { name: 'No Posts Yet' })).toBeVisible()
    await expect(page.getByText("When you share photos, they'll appear on your profile.")).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create your first post' })).toHaveAttribute(
      'href',
      '/create',
    )
    await expect(page.getByText('This feature is coming soon!')).toHaveCount(0)
    await tab('SAVED').click()
    await expect(page.getByRole('heading', { name: 'No Saved Posts' })).toBeVisible()
    await expect(page.getByText('Save posts to see them here.')).toBeVisible()
    await expect(page.getByText('This feature is coming soon!')).toBeVisible()
    await tab('TAGGED').click()
    await expect(page.getByRole('heading', { name: 'No Tagged Posts' })).toBeVisible()
    await expect(page.getByText("Posts you're tagged in will appear here.")).toBeVisible()
    await expect(page.getByText('This feature is coming soon!')).toBeVisible()
    await page.reload()
    await expect(tab('TAGGED')).toHaveAttribute('aria-selected', 'true')
    await tab('POSTS').click()
    await expect(page).toHaveURL(`/profile/${member.username}`)

    const other = await newMember()
    await visit(page, `/profile/${other.username}?tab=saved`)
    await expect(page.getByRole('tab')).toHaveText(['POSTS', 'TAGGED'])
    await expect(tab('POSTS')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('heading', { name: 'No Posts Yet' })).toBeVisible()
    await expect(page.getByText("When you share photos, they'll appear on your profile.")).toHaveCount(0)
  })

  await test.step('PROF-01 an unknown username shows the page for unknown members', async () => {
    await visit(page, '/profile/nobody.at.all')
    await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
    await expect(page.getByText("This user doesn't exist or has been deleted.")).toBeVisible()
  })

  await test.step('PROF-03 the buttons: Edit Profile and Options', async () => {
    await visit(page, `/profile/${member.username}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/edit-profile')
    await expect(main.getByRole('button', { name: 'Follow' })).toHaveCount(0)
    await expect(main.getByRole('button', { name: 'Message' })).toHaveCount(0)
    await main.getByRole('button', { name: 'Options' }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Sign Out'])
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL('/settings')
    await page.goBack()
    await main.getByRole('button', { name: 'Options' }).click()
    await pressSignOut(page)
    await expect(page).toHaveURL('/login')
  })
})

test('PROF-02 PROF-03 another member’s profile shows their details, and buttons to follow and message them', async ({
  page,
  member,
  newMember,
}) => {
  const other = await newMember({ fullName: 'Ines Duarte' })
  await insertPosts(other, 2)
  await member.api.from('follows').insert({ follower_id: member.id, following_id: other.id })
  await changeProfile(other, {
    bio: 'Mountains first.\nFilm when it rains.',
    website: 'https://example.com/ines',
  })
  await page.goto(`/profile/${other.username.toUpperCase()}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: other.username })).toBeVisible()
  await expect(main.getByText('Ines Duarte')).toBeVisible()
  await expect(main.getByText('M', { exact: true })).toBeVisible()
  await expect(main.getByText('2 posts')).toBeVisible()
  await expect(main.getByText('1 follower', { exact: true })).toBeVisible()
  await expect(main.getByText('0 following')).toBeVisible()
  const bio = main.getByText('Mountains first.')
  expect(await bio.textContent()).toBe('Mountains first.\nFilm when it rains.')
  await expect(bio).toHaveCSS('white-space-collapse', 'preserve')
  const website = main.getByRole('link', { name: 'example.com/ines' })
  await expect(website).toHaveAttribute('href', 'https://example.com/ines')
  await expect(website).toHaveAttribute('target', '_blank')
  await expect(website).toHaveAttribute('rel', 'noopener noreferrer')

  const picture = dataUrl(noisePng(16, 1))
  await changeProfile(other, { avatar_url: picture })
  await page.reload()
  await expect(main.locator(`header img[src="${picture}"]`)).toBeVisible()
  await expect(main.getByText('M', { exact: true })).toHaveCount(0)

  await test.step('PROF-03 the buttons: Follow, Message and Options', async () => {
    const stranger = await newMember()
    await visit(page, `/profile/${stranger.username}`)
    await expect(main.getByRole('heading', { name: stranger.username })).toBeVisible()
    await expect(main.getByRole('button', { name: 'Follow', exact: true })).toBeEnabled()
    await expect(main.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
    await main.getByRole('button', { name: 'Options' }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Mute', 'Block', 'Report'])
    await page.keyboard.press('Escape')
    await main.getByRole('button', { name: 'Message' }).click()
    await expect(page.getByRole('region', { name: `Conversation with ${stranger.username}` })).toBeVisible()
    const { data } = await member.api.from('conversations').select('id').eq('participant_2', stranger.id)
    expect(data).toHaveLength(1)
    await expect(page).toHaveURL(`/messages?c=${data?.[0]?.id}`)
  })
})

test('PROF-06 PROF-07 PROF-08 PROF-11 the grids of posts, saved and tagged posts; a mention opens its member’s profile', async ({
  page,
  member,
  newMember,
}) => {
  const [old] = await insertPosts(member, 1, { content: () => '🎞'.repeat(51) })
  await insertPosts(member, 1, { content: () => 'Short' })
  const [shown] = await insertPosts(member, 1, { thumbnailBytes: 900, content: () => 'Unread words' })
  // Some clients store pictures without thumbnails.
  const bare = await member.api
    .from('posts')
    .insert({ user_id: member.id, content: 'Bare', image_url: dataUrl(noisePng(12, 3)) })
  if (bare.error) throw bare.error
  const author = await newMember()
  const hidden = await newMember()
  const [first, second] = await insertPosts(author, 2, { content: (index) => `Kept ${index}` })
  const [gone] = await insertPosts(hidden, 1, { content: () => 'Gone private' })
  for (const post_id of [second, gone, first]) {
    const { error } = await member.api
      .from('saved_posts')
      .insert({ user_id: member.id, post_id: post_id ?? '' })
    if (error) throw error
  }
  await changeProfile(hidden, { is_private: true })
  const tagger = await newMember()
  const named = await newMember()
  const words = `With @${member.username} @${named.username}`
  await insertPosts(tagger, 1, { content: () => words })
  await insertPosts(tagger, 1, { content: () => 'Alone' })
  await page.goto(`/profile/${member.username}`)
  await test.step('PROF-06 three columns, newest first: thumbnails, or the start of the text', async () => {
    const cells = page.getByRole('tabpanel').getByRole('listitem')
    await expect(cells).toHaveCount(4)
    await expect(cells.nth(0).getByRole('img')).toBeVisible()
    await expect(cells.nth(1).getByRole('img')).toBeVisible()
    await expect(cells.nth(2)).toHaveText('Short...')
    await expect(cells.nth(3)).toHaveText(`${'🎞'.repeat(50)}...`)
    const boxes = await Promise.all([0, 1, 2, 3].map((index) => boxOf(cells.nth(index))))
    expect(new Set(boxes.slice(0, 3).map(({ y }) => y)).size).toBe(1)
    const [first, , , fourth] = boxes
    if (first === undefined || fourth === undefined) throw new Error('Too few cells.')
    expect(fourth.x).toBe(first.x)
    expect(fourth.y).toBeGreaterThan(first.y + first.height)
    // A cell adds its post to the URL, and the page does not scroll.
    await expect(cells.nth(1).getByRole('link')).toHaveAttribute(
      'href',
      `/profile/${member.username}?post=${shown}`,
    )
    await expect(cells.nth(3).getByRole('link')).toHaveAttribute(
      'href',
      `/profile/${member.username}?post=${old}`,
    )
  })

  await test.step('PROF-07 SAVED shows the last saved post first, without posts that are now hidden', async () => {
    await page.getByRole('tab', { name: 'SAVED' }).click()
    await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveText(['Kept 0...', 'Kept 1...'])
  })

  await test.step('PROF-08 PROF-11 a post that mentions a member is under TAGGED, and the mention opens their profile', async () => {
    const tagged = page.getByRole('tabpanel').getByRole('listitem')
    await page.getByRole('tab', { name: 'TAGGED' }).click()
    await expect(tagged).toHaveText([`${words}...`])
    await page.getByRole('link', { name: 'Home' }).click()
    const card = page.getByRole('article', { name: `Post by ${tagger.username}` }).filter({ hasText: words })
    await card.getByRole('link', { name: `@${named.username}` }).click()
    await expect(page).toHaveURL(`/profile/${named.username}`)
    await page.getByRole('tab', { name: 'TAGGED' }).click()
    await expect(tagged).toHaveText([`${words}...`])
  })
})

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

test('PROF-02 STORY-07 a profile’s picture has the ring of the member’s stories and plays them', async ({
  page,
  member: _viewer,
  newMember,
}) => {
  const author = await newMember()
  await page.goto(`/profile/${author.username}`)
  const picture = page.getByRole('button', { name: texts.stories.ofMember(author.username) })
  await expect(page.getByRole('heading', { name: author.username })).toBeVisible()
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

test('PROF-10 the focus stays in the grid when its post is deleted', async ({ page, member }) => {
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
