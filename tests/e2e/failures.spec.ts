import type { Locator, Page, Route } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { startConversation, write } from './support/conversations'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'

/** All reads of the screens except the member's own profile, without which no screen opens. */
const READS =
  /\/rest\/v1\/(posts|stories|likes|saved_posts|comments|follows|follow_requests|notifications|messages|conversations|profiles\?(.*username=eq|select=username%2Cfull_name|select=id&)|rpc\/(following_posts|my_conversations|notification_groups|people_to_follow|unread|search_profiles|blocked_members|muted_members|my_sessions))/

/** How long opening or refetching all screens at once may take on a busy machine, in milliseconds. */
const OPENING_MS = 180_000

/** A picture of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Content on a screen that comes from the server. */
interface Shown {
  path: string
  /** The action that shows it. */
  open?: (screen: Page) => Promise<void>
  content: (screen: Page) => Locator[]
}

/** Creates content for every screen. */
async function fillScreens(member: Member, other: Member, blocked: Member): Promise<Shown[]> {
  const id = await startConversation(other, member)
  await write(other, id, 'Written before')
  const [post] = await insertPosts(other, 1, { content: () => 'Posted before' })
  const [mine] = await insertPosts(member, 1, { content: () => 'Of mine' })
  if (post === undefined || mine === undefined) throw new Error('no posts')
  const as = (who: Member) => who.api
  await as(other)
    .from('comments')
    .insert({ post_id: post, user_id: other.id, content: 'Commented before' })
    .throwOnError()
  await as(other).from('likes').insert({ post_id: mine, user_id: other.id }).throwOnError()
  const story = { user_id: other.id, media_url: PIXEL, media_type: 'image', thumbnail_url: PIXEL } as const
  await as(other).from('stories').insert(story).throwOnError()
  await as(member).from('saved_posts').insert({ post_id: post, user_id: member.id }).throwOnError()
  await as(member)
    .rpc('block_members', { ids: [blocked.id] })
    .throwOnError()
  const bell = (screen: Page) => screen.getByRole('button', { name: /^Notifications, \d+ unread/ })
  return [
    {
      path: '/',
      content: (screen) => [
        screen.locator(`article[data-post="${post}"]`).getByText('Posted before'),
        screen.getByRole('link', { name: new RegExp(other.username) }).first(),
        bell(screen),
      ],
    },
    {
      path: `/profile/${other.username}`,
      content: (screen) => [
        screen.getByRole('heading', { level: 1, name: other.username }),
        screen.getByRole('button', { name: 'Follow', exact: true, disabled: false }),
        screen.getByRole('tabpanel').getByText('Posted before'),
      ],
    },
    { path: '/edit-profile', content: (screen) => [screen.getByLabel('Username')] },
    {
      path: `/messages?c=${id}`,
      content: (screen) => [
        screen.getByRole('article').getByText('Written before'),
        screen.getByRole('listitem').filter({ hasText: other.username }),
      ],
    },
    {
      path: `/?post=${post}`,
      content: (screen) => [
        screen.getByRole('dialog').getByText('Posted before'),
        screen.getByRole('dialog').getByText('Commented before'),
      ],
    },
    {
      path: `/profile/${member.username}?tab=saved`,
      open: (screen) => screen.getByRole('button', { name: /^Notifications/ }).click(),
      content: (screen) => [
        screen.getByRole('dialog', { name: 'Notifications' }).getByText('liked your post'),
        screen.getByRole('tabpanel', { includeHidden: true }).getByText('Posted before'),
      ],
    },
    {
      path: '/settings',
      open: (screen) => screen.getByRole('combobox', { name: 'Search' }).fill(other.username),
      content: (screen) => [
        screen.getByRole('button', { name: `Unblock ${blocked.username}` }),
        screen.getByRole('listbox', { name: 'Search' }).getByRole('option', { name: other.username }),
      ],
    },
  ]
}

type Failure = (route: Route) => Promise<void>

const answer =
  (status: number, body: string, contentType: string): Failure =>
  (route) =>
    route.fulfill({ status, body, contentType })

const UNAVAILABLE = answer(503, '{"message":"Service is under maintenance"}', 'application/json')

/** The ways in which a server can fail. */
const FAILURES: Readonly<Record<string, Failure>> = {
  'a server error': answer(500, '{"code":"XX000","message":"internal error"}', 'application/json'),
  'a page of its proxy': answer(502, '<html><h1>Bad Gateway</h1></html>', 'text/html'),
  'a gateway that gives up': answer(504, '', 'text/plain'),
  'refused connections': (route) => route.abort('connectionrefused'),
  'answers of another kind': answer(200, '{"a":{}}', 'application/json'),
  'no answer at all': async () => undefined,
}

/** Log lines that an outage can cause, depending on when it starts and ends. */
const LOGGED = [
  /status of 50\d/,
  /ERR_CONNECTION_REFUSED/,
  /: (server|offline)/,
  // The page's clock runs faster than the live connection, so its responses may seem to be late.
  /live channel: (.*timeout|TIMED_OUT)/,
]

/** Fails the reads of all pages of a context. Returns a function that ends the outage. */
async function breakReads(page: Page, fail: Failure): Promise<() => void> {
  let isDown = true
  await page.context().route(READS, (route) => (isDown ? fail(route) : route.fallback()))
  return () => {
    isDown = false
  }
}

async function expectRecovered(screens: { tab: Page; shown: Shown }[]): Promise<void> {
  await Promise.all(
    screens.flatMap(({ tab, shown }) =>
      shown
        .content(tab)
        .map((content) => expect(content, `${shown.path}: ${content}`).toBeVisible({ timeout: OPENING_MS })),
    ),
  )
}

test('FEED-12 every screen recovers by itself after the server was down', { tag: '@long' }, async ({
  page,
  member,
  other,
  newMember,
  problems,
}) => {
  test.slow()
  const opened = await fillScreens(member, other, await newMember())
  problems.expect(/status of 503/, /: server/)
  // A dozen pages on a busy machine may miss a heartbeat; the channel then reconnects.
  problems.allow(/live channel: Error: heartbeat timeout/)
  const endOutage = await breakReads(page, UNAVAILABLE)
  const context = page.context()
  const screens = await Promise.all(
    opened.map(async (shown, index) => {
      const tab = index === 0 ? page : await context.newPage()
      // Logged once a read is no longer retried.
      const failed = tab.waitForEvent('console', {
        predicate: (message) => /^read .*: server/.test(message.text()),
        timeout: OPENING_MS,
      })
      await tab.goto(shown.path)
      await shown.open?.(tab)
      await failed
      for (const content of shown.content(tab)) await expect(content, shown.path).toHaveCount(0)
      return { tab, shown }
    }),
  )
  endOutage()
  // Within ten seconds, as tests/renderer/lib/queries/query-recovery.test.ts proves with a fake clock.
  await expectRecovered(screens)
})

/**
 * Durations of outages in seconds, and the steps in which the clock advances: responses arrive only between two steps.
 */
const OUTAGES = [
  { seconds: 3, step: 1 },
  { seconds: 180, step: 6 },
] as const

for (const [name, fail] of Object.entries(FAILURES)) {
  for (const { seconds, step } of OUTAGES) {
    test(`FEED-12 every screen recovers by itself after ${seconds} s of ${name}`, { tag: '@long' }, async ({
      page,
      member,
      other,
      newMember,
      problems,
    }) => {
      test.slow()
      const all = await fillScreens(member, other, await newMember())
      const endOutage = await breakReads(page, fail)
      // A clock that advances faster than the disk answers ends its time to open.
      problems.allow(...LOGGED, /vignette\.\w+ does not open/)
      const context = page.context()
      // Install the clock in all pages: it keeps running, and the test advances it too.
      await context.clock.install()
      const screens = await Promise.all(
        all.map(async (shown, index) => {
          const tab = index === 0 ? page : await context.newPage()
          const asked = tab.waitForRequest(READS, { timeout: OPENING_MS })
          await tab.goto(shown.path)
          await shown.open?.(tab)
          await asked
          return { tab, shown }
        }),
      )
      for (let second = 0; second < seconds; second += step) await context.clock.runFor(step * 1_000)
      for (const { tab, shown } of screens)
        for (const content of shown.content(tab)) await expect(content, shown.path).toHaveCount(0)
      endOutage()
      await expectRecovered(screens)
    })
  }
}

test('NAV-01 a dialog whose code cannot be loaded does not take the page with it', async ({
  page,
  problems,
  member: _signedIn,
}) => {
  problems.expect(/dynamically imported module/, /ERR_FAILED/)
  await page.route('**/assets/ShortcutsDialog-*.js', (route) => route.abort())
  await page.goto('/create')
  const text = page.getByRole('textbox').first()
  await text.fill('Still here')
  await text.blur()
  await page.keyboard.press('?')
  await expect(page.getByRole('alert')).toContainText(texts.somethingBroke.title)
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(text).toHaveValue('Still here')
  await page.unroute('**/assets/ShortcutsDialog-*.js')
  await page.getByRole('button', { name: texts.tryAgain }).click()
  await page.getByRole('heading', { name: texts.pages.create }).waitFor()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: texts.shortcuts.title })).toBeVisible()
})
