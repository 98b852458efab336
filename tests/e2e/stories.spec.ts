import type { Page } from '@playwright/test'
import { addStory, bubble, showStoriesOf, viewer } from './fixtures/stories'
import { stopTime, takeClock } from './support/clock'
import { longStep } from './support/long-step'
import { answerWith, holdRequests, joined, RETRY_STALE } from './support/network'
import { expect, test } from './support/test'
import { visit } from './support/visit'

const STORIES = /\/rest\/v1\/stories/
/** After how many seconds a story expires: more than a slow machine needs to open it. */
const SOON = 120

/** The value of the progress bar, in percent. */
async function percent(page: Page): Promise<number> {
  return Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))
}

/** With a stopped clock: advances it until the story is loaded and plays, however slow the machine. */
async function begin(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(page.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0', { timeout: 50 })
  }).toPass({ intervals: [20] })
}

test('STORY-03 STORY-04 plays with exact progress, taps on the halves of the window, long presses, keys, and shows the next story', async ({
  page,
  member,
  newMember,
}) => {
  const ada = await newMember()
  const first = await addStory(ada, { content: 'First' })
  const second = await addStory(ada, { content: 'Second' })
  const read: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/stories') && searchParams.get('select')?.includes('media_url'))
      read.push(searchParams.get('id') ?? '')
  })
  await page.clock.install()
  const live = joined(page)
  const held = await holdRequests(page, new RegExp(`media_url.*id=eq\\.${first}`))
  await showStoriesOf(page, [member, ada])
  await page.goto('/')
  const face = bubble(page, ada.username)
  await face.hover()
  await held.arrived
  expect(read).toContain(`eq.${first}`)
  await live
  await stopTime(page)
  const asked = page.waitForResponse((response) => /\/stories\?.*author.*&id=eq/.test(response.url()))
  await face.click()
  const dialog = viewer(page, ada.username)
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(dialog).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [20] })
  await page.clock.runFor(1_000)
  // The next story waits until this one plays.
  expect(read).toEqual([`eq.${first}`])
  await held.release()
  await begin(page)
  await expect(async () => {
    await page.clock.runFor(20)
    expect(read).toEqual([`eq.${first}`, `eq.${second}`])
  }).toPass()
  await expect(dialog.getByRole('img', { name: `Story by ${ada.username}` })).toBeVisible()
  await expect(page).toHaveURL(`/?story=${first}`)
  await expect(dialog).toHaveAccessibleName(`Story by ${ada.username}, 1 of 2`)
  await asked

  const start = await percent(page)
  await page.clock.runFor(1_000)
  await expect.poll(() => percent(page)).toBe(start + 20)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  // Also beside the frame, because the half of the window counts.
  await page.mouse.click(width - 60, height - 40)
  await expect.poll(() => percent(page)).toBe(start + 40)
  await page.mouse.click(width / 2 - 5, height / 2)
  await expect.poll(() => percent(page)).toBe(start + 20)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => percent(page)).toBe(start + 40)
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => percent(page)).toBe(0)

  // A long press pauses and is not a tap. Inside the frame, because a button to another member may be beside it.
  await page.mouse.move(width / 2 + 5, height / 2)
  await page.mouse.down()
  await page.clock.runFor(3_000)
  await page.mouse.up()
  expect(await percent(page)).toBe(0)
  await page.keyboard.press(' ')
  await expect(dialog.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.clock.runFor(3_000)
  expect(await percent(page)).toBe(0)
  await dialog.getByRole('button', { name: 'Play' }).click()
  await page.clock.runFor(4_900)
  await expect.poll(() => percent(page)).toBe(98)
  await expect(dialog.getByText('First')).toBeVisible()
  await page.clock.runFor(100)
  await expect(dialog.getByText('Second')).toBeVisible()
  await expect(dialog).toHaveAccessibleName(`Story by ${ada.username}, 2 of 2`)

  // The next story's media are loaded with timers too.
  await begin(page)
  await page.clock.runFor(5_000)
  await expect(dialog).toHaveCount(0)
  await page.clock.resume()
  await expect(page).toHaveURL('/')
  await expect(face).toBeFocused()
  await expect(face).toHaveAccessibleDescription('Seen')
  // The first story was shown several times and is recorded once.
  const views = async () => {
    const { data } = await member.api.from('story_views').select('story_id').eq('viewer_id', member.id)
    return data?.map(({ story_id }) => story_id).sort()
  }
  await expect.poll(views).toEqual([first, second].sort())
})

test('STORY-03 the viewer is loaded before a click: once the posts are there, while the page still loads, or when the member points at a story', {
  tag: '@long',
}, async ({ context, member: _member, newMember, page, problems }) => {
  problems.allow(/live channel/)
  const author = await newMember()
  await addStory(author)
  /** Opens the feed without its unread counts, and counts how often the viewer is requested. */
  const open = async (tab: Page) => {
    // The code of all screens is loaded ahead once the live connection is there.
    await tab.routeWebSocket(/\/realtime\/v1\//, (socket) => socket.close({ code: 1001 }))
    const requests: string[] = []
    tab.on('request', (request) => {
      if (/\/story-viewer-/.test(request.url())) requests.push(request.url())
    })
    const counts = await holdRequests(tab, /\/rest\/v1\/rpc\/unread/)
    await tab.goto('/')
    await counts.arrived
    return { counts, requests }
  }

  const posts = await holdRequests(page, /\/rest\/v1\/posts/)
  await showStoriesOf(page, [author])
  const pointed = await open(page)
  await posts.arrived
  await expect(bubble(page, author.username)).toBeVisible()
  expect(pointed.requests).toEqual([])
  await bubble(page, author.username).hover()
  await expect.poll(() => pointed.requests.length).toBe(1)
  await posts.release()
  await pointed.counts.release()

  const loading = await open(await context.newPage())
  await expect.poll(() => loading.requests.length).toBe(1)
  await loading.counts.release()
})

test('STORY-02 STORY-07 the strip has one bubble per member, unseen first, loads no media, and scrolls by wheel, drag and keys', {
  tag: '@steps',
}, async ({ page, member, newMember }) => {
  const [ada, ben, cleo] = [await newMember(), await newMember(), await newMember()]
  const hidden = await addStory(ada)
  for (const each of [ada, ben, cleo]) await addStory(each)
  // Muted members have no bubble.
  await member.api.from('mutes').insert({ muter_id: member.id, muted_id: cleo.id })
  await addStory(member, { content: 'Mine' })
  const strip = page.waitForResponse(
    (response) => STORIES.test(response.url()) && response.url().includes('author'),
  )
  const members = [member, ada, ben, cleo]
  await showStoriesOf(page, members)
  await page.setViewportSize({ width: 420, height: 700 })
  await page.goto('/')
  const body = await (await strip).text()
  expect(body).toContain(hidden)
  for (const column of ['media_url', 'thumbnail_url', 'data:image/png']) expect(body).not.toContain(column)

  const region = page.getByRole('region', { name: 'Stories' })
  await expect(bubble(page, ada.username)).toHaveCount(1)
  await expect(bubble(page, ada.username)).toHaveAccessibleDescription('New')
  await expect(bubble(page, cleo.username)).toHaveCount(0)
  // The last line of each bubble: above it is the initial of members without a picture.
  const names = async () =>
    (await region.locator('[data-bubble]').allInnerTexts()).map((text) => text.split('\n').at(-1) ?? '')
  expect(await names()).toEqual([member.username, ben.username, ada.username])

  // The button names the next member.
  await bubble(page, ben.username).click()
  await expect(page.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: `Next: ${ada.username}` })).toBeVisible()
  const neighbour = page.getByRole('button', { name: `Watch the stories of ${ada.username}` })
  await expect(neighbour).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 860 })
  // Only the picture of the next member leads to them; beside it a press is a tap on this half of the window (STORY-04).
  const picture = await neighbour.boundingBox()
  if (picture === null) throw new Error('no neighbour')
  const percent = async () => Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))
  const before = await percent()
  await page.mouse.click(picture.x + picture.width / 2, picture.y - 40)
  await expect.poll(percent).toBe(before + 20)
  await expect(viewer(page, ben.username)).toBeVisible()
  await neighbour.click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(viewer(page, ada.username)).toHaveAccessibleName(/, 1 of 2$/)
  await expect(page.getByRole('button', { name: 'Next story' })).toBeVisible()
  await page.getByRole('button', { name: `Back: ${ben.username}` }).click()
  await expect(viewer(page, ben.username)).toBeVisible()
  // A window of 1280 by 860 pixels at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 430 })
  await expect(page.getByRole('button', { name: 'React with 🔥' })).toBeInViewport({ ratio: 1 })
  const name = await page.getByRole('link', { name: ben.username }).getByText(ben.username).boundingBox()
  expect(name?.width).toBeGreaterThan(40)
  await page.setViewportSize({ width: 420, height: 700 })
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(bubble(page, ben.username)).toHaveAccessibleDescription('Seen')
  // STORY-12: the strip stays as it was, with the focus, and is ordered again at the next visit.
  expect(await names()).toEqual([member.username, ben.username, ada.username])
  await expect(bubble(page, ben.username)).toBeFocused()
  await page.reload()
  await expect.poll(names).toEqual([member.username, ada.username, ben.username])

  await longStep('a long strip scrolls by wheel, drag and keys', async () => {
    // Enough members to make the row longer than the window.
    for (let n = 0; n < 6; n += 1) {
      const added = await newMember()
      await addStory(added)
      members.push(added)
    }
    const [newest, next] = members.toReversed()
    if (newest === undefined || next === undefined) throw new Error('no members')
    await page.reload()
    const row = region.getByRole('list')
    const offset = () => row.evaluate((element) => element.scrollLeft)
    await expect
      .poll(() => row.evaluate((element) => element.scrollWidth > element.clientWidth + 200))
      .toBe(true)
    await row.hover()
    await page.mouse.wheel(0, 150)
    await expect.poll(offset).toBeGreaterThan(100)
    const box = await row.boundingBox()
    if (box === null) throw new Error('no strip')
    await page.mouse.move(box.x + 60, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + 360, box.y + 40, { steps: 5 })
    await page.mouse.up()
    await expect.poll(offset).toBe(0)
    // A drag is not a click, which would change the URL immediately.
    expect(new URL(page.url()).search).toBe('')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await region.locator('[data-bubble]').first().focus()
    await page.keyboard.press('End')
    await expect.poll(offset).toBeGreaterThan(100)
    await expect(region.locator('[data-bubble]:focus')).toHaveCount(1)
    await page.keyboard.press('Home')
    await expect.poll(offset).toBeLessThan(20)
    // The first bubble gets focus after it is rendered again.
    await expect(region.locator('[data-bubble]:focus')).toContainText('Your story')
    await page.keyboard.press('ArrowRight')
    await expect(bubble(page, newest.username)).toBeFocused()

    // STORY-12: the strip stays as it was, also after the view has been recorded.
    const before = await names()
    const recorded = page.waitForResponse(/\/rest\/v1\/story_views/)
    await page.keyboard.press('Enter')
    await recorded
    await page.keyboard.press('Escape')
    await expect(bubble(page, newest.username)).toBeFocused()
    await expect(bubble(page, newest.username)).toHaveAccessibleDescription('Seen')
    expect(await names()).toEqual(before)
    expect(await offset()).toBeLessThan(20)
    // The next visit orders it again.
    await page.reload()
    await expect.poll(async () => (await names()).indexOf(newest.username)).toBeGreaterThan(5)
    await expect(bubble(page, next.username)).toBeInViewport({ ratio: 1 })
  })
})

/** Simulates switching to another tab, or back. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

test('STORY-06 STORY-09 records a view once and creates one notification; the owner sees the viewers and times, and deletes the story', {
  tag: '@steps',
}, async ({ page, member, newMember, openAs }) => {
  const story = await addStory(member, { content: 'Who is there?' })
  const guest = await newMember({ fullName: 'Ines Ott' })
  const theirs = await openAs(guest)
  const recorded: string[] = []
  theirs.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/story_views')) recorded.push(request.url())
  })
  await showStoriesOf(theirs, [member])
  await theirs.goto('/')
  await bubble(theirs, member.username).click()
  const seen = viewer(theirs, member.username)
  await expect(seen.getByText('Who is there?')).toBeVisible()
  await expect(seen.getByRole('button', { name: 'Delete story' })).toHaveCount(0)
  await expect(theirs.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')
  // Returning to the window does not record the view again.
  await expect.poll(() => recorded.length).toBe(1)
  await setHidden(theirs, true)
  const shown = await percent(theirs)
  await setHidden(theirs, false)
  await expect.poll(() => percent(theirs)).toBeGreaterThan(shown)
  expect(recorded).toHaveLength(1)
  await theirs.keyboard.press('Escape')
  await expect(seen).toHaveCount(0)
  await expect(bubble(theirs, member.username)).toHaveAccessibleDescription('Seen')
  await longStep('opened again by its URL, it waits for its media', async () => {
    // Again by its URL: playback waits for the media and shows a spinner.
    const held = await holdRequests(theirs, /select=media_type/)
    await theirs.goto(`/?story=${story}`)
    await held.arrived
    await expect(seen.getByRole('status', { name: 'Loading' })).toBeVisible()
    expect(await percent(theirs)).toBe(0)
    await held.release()
    await expect(seen.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(theirs.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')
  })
  const views = async () => (await member.api.from('story_views').select('viewer_id')).data
  await expect.poll(views).toEqual([{ viewer_id: guest.id }])
  const { data: notifications } = await member.api.from('notifications').select('type,actor_id,story_id')
  expect(notifications).toEqual([{ type: 'story_view', actor_id: guest.id, story_id: story }])

  await showStoriesOf(page, [member])
  await page.goto('/')
  await page.getByRole('button', { name: 'Your story' }).click()
  const dialog = viewer(page, member.username)
  await expect(page.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')
  await dialog.getByRole('button', { name: '1 view' }).click()
  const list = page.getByRole('dialog', { name: 'Viewed by' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  expect(await views()).toEqual([{ viewer_id: guest.id }])
  await expect(list.getByRole('link', { name: `${guest.username} Ines Ott just now` })).toBeVisible()
  // A new viewer appears immediately, and the story stays paused.
  const late = await newMember({ fullName: 'Late Comer' })
  await late.api.from('story_views').insert({ story_id: story, viewer_id: late.id })
  await expect(list.getByRole('link', { name: late.username })).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(dialog).toBeVisible()

  await dialog.getByRole('button', { name: 'Delete story' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete this story?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Delete story' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Your story' })).toHaveCount(0)
  expect((await member.api.from('stories').select('id').eq('user_id', member.id)).data).toEqual([])
})

test('STORY-02 a story that expires while it is open plays to its end and cannot be opened again; unavailable stories show a message', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const ada = await newMember()
  const story = await addStory(ada, { content: 'Almost over' })
  const own = await addStory(member)
  // A server whose clock the test moves, shortly before the stories expire.
  let isLater = false
  const soon = new Date(Date.now() + SOON * 1_000).toISOString()
  await page.route(/\/rest\/v1\//, async (route) => {
    const response = await route.fetch(RETRY_STALE)
    const date = new Date(Date.now() + (isLater ? (SOON + 1) * 1_000 : 0)).toUTCString()
    const headers = { ...response.headers(), date }
    const url = route.request().url()
    if (!STORIES.test(url) || !url.includes('author')) return route.fulfill({ response, headers })
    const rows: { id: string }[] = await response.json()
    await route.fulfill({
      response,
      headers,
      json: rows.map((row) => (row.id === story || row.id === own ? { ...row, expires_at: soon } : row)),
    })
  })
  await showStoriesOf(page, [member, ada])
  const clock = await takeClock(page)
  const live = joined(page)
  await page.goto('/')
  await expect(bubble(page, ada.username)).toBeVisible()
  await stopTime(page)
  const viewed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/story_views/.test(response.url()),
  )
  await bubble(page, ada.username).click()
  await begin(page)
  await expect(viewer(page, ada.username).getByText('Almost over')).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.clock.resume()
  // The page's clock is about to skip the timeouts of pending requests.
  await Promise.all([viewed, live])
  isLater = true
  await clock.leap(SOON + 1)
  await expect(viewer(page, ada.username).getByText('Almost over')).toBeVisible()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(viewer(page, ada.username)).toHaveCount(0)
  await expect(bubble(page, ada.username)).toHaveCount(0)

  await page.goForward()
  await expect(page.getByRole('dialog', { name: 'This story has expired' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/')
  await visit(page, `/?story=${own}`)
  await expect(page.getByRole('dialog', { name: 'This story has expired' })).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/')
  for (const id of ['nonsense', crypto.randomUUID()]) {
    await visit(page, `/messages?story=${id}`)
    await expect(page.getByRole('dialog', { name: 'This story is not here' })).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL('/messages')
  }
})

test('STORY-05 a reply and a reaction arrive as messages about the story; there is no reply bar for the owner, with replies off, or for a deleted story', {
  tag: ['@steps', '@smoke'],
}, async ({ page, member, newMember, problems }) => {
  const [ada, ben] = [await newMember(), await newMember()]
  const text = `First snow with @${ben.username}, at https://example.com/hut. ${'As far as one can see. '.repeat(18)}`
  const story = await addStory(ada, { content: text })
  await addStory(ben, { content: 'No letters, please' })
  await addStory(member, { content: 'Mine' })
  await ben.api.from('profiles').update({ allow_story_replies: false }).eq('id', ben.id)
  await showStoriesOf(page, [member, ada, ben])
  await page.clock.install()
  const live = joined(page)
  await page.goto('/')
  await expect(bubble(page, ada.username)).toBeVisible()
  await live
  await stopTime(page)
  await bubble(page, ada.username).click()
  await begin(page)
  const dialog = viewer(page, ada.username)
  const field = dialog.getByRole('textbox', { name: `Reply to ${ada.username}...` })

  await longStep('an expanded caption pauses the story, and its links open outside', async () => {
    // An expanded caption pauses the story, and a press beside it only collapses it. Its links open outside and are not taps.
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'More' }).click()
    await expect(dialog.getByRole('button', { name: 'Less' })).toHaveAttribute('aria-expanded', 'true')
    const reached = await percent(page)
    expect(reached).toBeGreaterThanOrEqual(20)
    await page.clock.runFor(2_500)
    await page.mouse.click(1_200, 700)
    await expect(dialog.getByRole('button', { name: 'More' })).toBeVisible()
    await page.context().route('https://example.com/hut', (route) => route.fulfill({ body: 'A hut' }))
    const outside = page.waitForEvent('popup')
    await dialog.getByRole('link', { name: 'https://example.com/hut' }).click()
    await (await outside).close()
    expect(await percent(page)).toBe(reached)
  })
  await field.click()
  await page.clock.resume()
  const waits = await percent(page)
  // Shortcuts are letters in the field.
  await field.pressSequentially('Where is that? m')
  await page.clock.runFor(2_500)
  expect(await percent(page)).toBe(waits)

  problems.expect(/\/rest\/v1\/messages/, /answer story: refused/)
  const refusal = { status: 400, json: { message: 'Not today', code: 'P0001' } }
  const undo = await answerWith(page, /\/rest\/v1\/messages/, refusal, { method: 'POST' })
  const logged = page.waitForEvent('console', (message) => message.text().startsWith('answer story'))
  await dialog.getByRole('button', { name: 'Send' }).click()
  await logged
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeEnabled()
  await expect(field).toHaveValue('Where is that? m')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await undo()
  // The draft survives closing the viewer.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await bubble(page, ada.username).click()
  await expect(field).toHaveValue('Where is that? m')
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await field.press('Enter')
  await expect(dialog.getByRole('status').getByText('Sent')).toBeVisible()
  await expect(field).toHaveValue('')
  await expect(field).not.toBeFocused()
  await dialog.getByRole('button', { name: 'React with 🔥' }).click()
  const messages = async () =>
    (
      await ada.api
        .from('messages')
        .select('sender_id,content,story_id,answers_story')
        .order('created_at', { ascending: true })
    ).data
  const about = { sender_id: member.id, story_id: story, answers_story: true }
  await expect.poll(messages).toEqual([
    { ...about, content: 'Where is that? m' },
    { ...about, content: '🔥' },
  ])
  await dialog.getByRole('link', { name: `@${ben.username}` }).click()
  await expect(page).toHaveURL(`/profile/${ben.username}`)
  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // The viewer disappears before the page has gone back.
  await expect(page).toHaveURL('/')

  for (const owner of [ben, member]) {
    const face =
      owner === member ? page.getByRole('button', { name: 'Your story' }) : bubble(page, owner.username)
    await face.click()
    await expect(viewer(page, owner.username)).toBeVisible()
    await expect.poll(() => percent(page)).toBeGreaterThan(0)
    await expect(page.getByRole('textbox', { name: /^Reply/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^React/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL('/')
  }

  await longStep('a story that is deleted during a reply shows a message, and the text stays', async () => {
    // A story that is deleted during a reply shows a message, and the text stays to be copied.
    const taken = await addStory(ada, { content: 'Not for long' })
    await page.goto('/')
    await expect(bubble(page, ada.username)).toHaveAccessibleDescription('New')
    await stopTime(page)
    const viewed = page.waitForResponse((response) => response.url().includes('/story_views'))
    await bubble(page, ada.username).click()
    await begin(page)
    await expect(dialog.getByText('Not for long')).toBeVisible()
    await viewed
    await field.click()
    await page.clock.resume()
    await field.fill('Too late')
    expect((await ada.api.rpc('delete_stories', { ids: [taken] })).error).toBeNull()
    problems.expect(/403 .*rest\/v1\/messages/, /answer story: forbidden/)
    await field.press('Enter')
    await expect(dialog.getByText('This story is not here')).toBeVisible()
    await expect(dialog.getByRole('alert')).toContainText('Your text stays here so that you can copy it.')
    await expect(field).toHaveValue('Too late')
    await expect(dialog.getByText('Not for long')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await visit(page, `/?story=${taken}`)
    await expect(page.getByRole('dialog', { name: 'This story is not here' })).toBeVisible()
  })
})

test('STORY-12 SET-03 Play on shows the stories of the next member after the last one, and says so shortly before', async ({
  openAs,
  newMember,
}) => {
  const [ada, ben] = [await newMember(), await newMember()]
  for (const each of [ada, ben]) await addStory(each)
  const page = await openAs(await newMember())
  await showStoriesOf(page, [ada, ben])
  await page.goto('/settings')
  const setting = page.getByRole('switch', { name: 'Play on' })
  await expect(setting).not.toBeChecked()
  await expect(
    page.getByText('After the last story of somebody, show those of the next person.'),
  ).toBeVisible()
  await setting.click()
  await expect(setting).toBeChecked()
  await page.getByRole('link', { name: 'Home' }).click()
  await bubble(page, ben.username).click()
  await expect(viewer(page, ben.username)).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('status').getByText(`Next: ${ada.username}`)).toHaveCount(0)
  await expect(page.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow', '0')
  for (let tap = 0; tap < 3; tap += 1) await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog').getByText(`Next: ${ada.username}`)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, ada.username)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
