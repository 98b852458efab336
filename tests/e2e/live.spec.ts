import type { Page, WebSocketRoute } from '@playwright/test'
import { stopTime, takeClock } from './support/clock'
import { startConversation, write } from './support/conversations'
import { createMember } from './support/member'
import { field, message, rows } from './support/messages-page'
import { joined, liveSwitch } from './support/network'
import { insertPosts, likePost } from './support/posts'
import { expect, test } from './support/test'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const banner = (page: Page) => page.getByText('Connection lost.')

/** Used heap of the page after garbage collection, in bytes. */
async function heapSize(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize
}

/** Likes a post as this member. */
/** Routes the live connection through functions that cut and restore it. */
async function cuttable(page: Page) {
  let open: WebSocketRoute | null = null
  let isCut = false
  await page.routeWebSocket(/\/realtime\//, async (route) => {
    if (isCut) return route.close({ code: 4000 })
    open = route
    route.connectToServer()
  })
  return {
    cut: async () => {
      isCut = true
      await open?.close({ code: 4000 })
    },
    mend: () => {
      isCut = false
    },
  }
}

test('NOTE-03 a new notification arrives without reload and moves the badge', {
  tag: '@server',
}, async ({ page, member, newMember }) => {
  const [fan, other] = [await newMember(), await newMember()]
  const [post = '', another = ''] = await insertPosts(member, 2)
  const live = joined(page)
  await page.goto('/messages')
  await live
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await likePost(fan, post)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(page.getByRole('status').filter({ hasText: '1 unread notification' })).toBeAttached()

  // It also appears on top of the open list.
  await bell(page).click()
  const items = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await expect(items).toHaveCount(1)
  await likePost(other, another)
  await expect(items).toHaveCount(2)
  await expect(items.first()).toContainText(other.username)
})

test('MSG-08 a lost connection shows a banner, is retried, and missed changes appear once', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const fan = await newMember()
  const [first = '', second = ''] = await insertPosts(member, 2)
  const clock = await takeClock(page)
  const line = await cuttable(page)
  await page.goto('/messages')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await likePost(fan, first)
  await expect(async () => {
    await clock.pass(1)
    await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: 500 })
  }).toPass()

  // Only the test advances the time, however slow the machine is.
  await clock.answered()
  await stopTime(page)
  await line.cut()
  let waitedMs = 0
  await expect(async () => {
    await page.clock.runFor(500)
    waitedMs += 500
    await expect(banner(page)).toBeVisible({ timeout: 500 })
  }).toPass({ intervals: [0] })
  expect(waitedMs, 'a short interruption is not shown').toBeGreaterThan(1_500)
  await expect(page.getByText(/Trying again in \d+ s/)).toBeVisible()
  await page.clock.resume()

  await likePost(fan, second)
  line.mend()
  // It may recover before the button is pressed.
  await Promise.any([
    page.getByRole('button', { name: 'Try now' }).click(),
    banner(page).waitFor({ state: 'detached' }),
  ])
  await expect(async () => {
    await page.clock.runFor(500)
    await expect(banner(page)).toHaveCount(0, { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('status').filter({ hasText: 'Connected again.' })).toBeAttached()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')
})

test('reconnects to a server that was killed and restarted', { tag: '@long' }, async ({
  ownServer,
  openAs,
  problems,
}) => {
  const [member, fan] = [await createMember(ownServer.info), await createMember(ownServer.info)]
  const [post = ''] = await insertPosts(member, 1)
  const page = await openAs(member)
  const live = joined(page)
  const loaded: string[] = []
  page.on('requestfinished', (request) => {
    const screen = /\/assets\/([A-Z]\w+)-/.exec(request.url())?.[1]
    if (screen !== undefined) loaded.push(screen)
  })
  await page.goto('/messages')
  await live
  // The other screens are loaded when the network is idle.
  const screens = [
    'LoginScreen',
    'CreateScreen',
    'ProfileScreen',
    'EditProfileScreen',
    'SettingsScreen',
    'LightTable',
  ]
  const popups = ['AccountMenuItems', 'NotificationPopover', 'LikersModal', 'SignupScreen', 'PostMenuItems']
  await expect.poll(() => loaded).toEqual(expect.arrayContaining([...screens, ...popups]))

  problems.expect(/WebSocket connection .* failed/)
  // Other dialogs may still be loading.
  problems.allow(/load ahead: TypeError: Failed to fetch/)
  await ownServer.kill()
  await expect(banner(page)).toBeVisible()
  // Full-height screens leave room for the banner.
  const box = await page.getByRole('main').boundingBox()
  const foot = await page.locator('[data-connection]').boundingBox()
  if (box === null || foot === null) throw new Error('not drawn')
  expect(box.y + box.height).toBeLessThanOrEqual(foot.y)
  // A screen that was never shown opens without a server.
  problems.expect(/Failed to load resource/, /offline/)
  const logged = page.waitForEvent('console', {
    predicate: (said) => /offline/.test(said.text()),
    timeout: 90_000,
  })
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  // Its requests fail only after some retries.
  await logged
  await ownServer.restart()
  await expect(banner(page)).toHaveCount(0, { timeout: 90_000 })
  await likePost(fan, post)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
})

test('MSG-09 a queued message that is refused stays, also after a reload, until it is sent again or discarded', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  const id = await startConversation(other, member)
  const live = await liveSwitch(page)
  await page.goto(`/messages?c=${id}`)
  await write(other, id, 'Are you there?')
  await expect(message(page, 'Are you there?')).toBeVisible()

  live.cut()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
  for (const text of ['I am, on the train', 'Never mind', 'Worded badly']) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(message(page, text)).toContainText('Waiting for the connection…')
  }
  await page.goto('/settings')
  const blocked = await other.api.rpc('block_members', { ids: [member.id] })
  expect(blocked.error).toBeNull()
  problems.expect(/403/)
  await live.restore()
  await page.goto(`/messages?c=${id}`)
  const [kept, dropped] = [message(page, 'I am, on the train'), message(page, 'Never mind')]
  const edited = message(page, 'Worded badly')
  for (const refused of [kept, dropped, edited]) await expect(refused).toContainText('Could not be sent.')
  await expect(rows(page).first()).toContainText('You: Worded badly· Not sent')
  await page.reload()
  for (const refused of [kept, dropped, edited]) await expect(refused).toContainText('Could not be sent.')

  // It stays after another refusal, and is sent once after the block has ended.
  const again = kept.getByRole('button', { name: 'Try again' })
  const answered = page.waitForResponse(
    (response) => response.url().includes('/messages') && response.status() === 403,
  )
  await again.click()
  await answered
  await expect(kept).toContainText('Could not be sent.')
  const unblocked = await other.api.from('blocks').delete().eq('blocked_id', member.id)
  expect(unblocked.error).toBeNull()
  await again.click()
  await expect(kept).toContainText('less than a minute ago')
  await dropped.getByRole('button', { name: 'Discard' }).click()
  await expect(dropped).toHaveCount(0)
  // The page was opened while the conversation was closed.
  await page.reload()
  await field(page).fill('typed since')
  await edited.getByRole('button', { name: 'Edit' }).click()
  await expect(edited).toHaveCount(0)
  await expect(field(page)).toHaveValue('Worded badly\ntyped since')
  await page.reload()
  await expect(page.getByRole('article')).toContainText(['Are you there?', 'I am, on the train'])
  await expect(field(page)).toHaveValue('Worded badly\ntyped since')
  const { data } = await other.api
    .from('messages')
    .select('content')
    .eq('conversation_id', id)
    .eq('sender_id', member.id)
  expect(data).toEqual([{ content: 'I am, on the train' }])
})

test('an idle page sends no unneeded requests, and its memory does not grow', { tag: '@long' }, async ({
  page,
  member,
  other,
}) => {
  const { pass } = await takeClock(page)
  const asked: string[] = []
  page.on('request', (request) => {
    // The heartbeat worker is loaded from a blob.
    if (!request.url().startsWith('http')) return
    asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  /** Opens a page and waits for everything that is loaded later. */
  const open = async (path: string) => {
    const live = joined(page)
    await page.goto(path)
    await live
    for (let before = -1; before < asked.length; ) {
      before = asked.length
      await pass(12)
    }
    asked.length = 0
  }

  await open('/messages')
  const before = await heapSize(page)
  // Forty minutes: the token, valid for an hour, is not refreshed yet.
  await pass(40 * 60)
  // Each ten minutes it helps the server to clean up.
  expect(asked, member.username).toEqual(Array.from({ length: 4 }, () => 'POST /rest/v1/rpc/settle'))
  expect((await heapSize(page)) - before).toBeLessThan(1_000_000)

  // In a conversation: the activity of the other member. On the feed: new posts and stories.
  const id = await startConversation(other, member)
  await write(other, id, 'Good night')
  await open(`/messages?c=${id}`)
  await pass(180)
  expect(new Set(asked)).toEqual(new Set(['GET /rest/v1/activity']))
  // From the list and from the conversation.
  expect(asked.length).toBeLessThanOrEqual(6)
  await open('/')
  await pass(180)
  expect(new Set(asked)).toEqual(new Set(['GET /rest/v1/posts', 'GET /rest/v1/stories']))
  expect(asked.length).toBeLessThanOrEqual(6)
})
