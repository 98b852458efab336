import type { Page } from '@playwright/test'
import { startConversation, write } from './support/conversations'
import { expect, test } from './support/test'

/** Every read of the screens but that of one's own profile, without which no screen opens. */
const READS =
  /\/rest\/v1\/(posts|stories|likes|saved_posts|comments|follows|follow_requests|notifications|messages|conversations|profiles\?(.*username=eq|select=username%2Cfull_name)|rpc\/(my_conversations|unread))/

test('FEED-12 every screen recovers by itself after the server was down', async ({
  page,
  member,
  other,
  problems,
}) => {
  const id = await startConversation(other, member)
  await write(other, id, 'Written before')
  const posted = await other.api
    .from('posts')
    .insert({ user_id: other.id, content: 'Posted before' })
    .select('id')
    .single()
  if (posted.error) throw posted.error
  const postId = posted.data.id
  const commented = await other.api
    .from('comments')
    .insert({ post_id: postId, user_id: other.id, content: 'Commented before' })
  if (commented.error) throw commented.error

  problems.expect(/status of 503/, /: server/)
  const context = page.context()
  let isDown = true
  await context.route(READS, (route) =>
    isDown
      ? route.fulfill({ status: 503, json: { message: 'Service is under maintenance' } })
      : route.fallback(),
  )
  const screens: [string, (screen: Page) => ReturnType<Page['locator']>][] = [
    ['/', (screen) => screen.getByRole('article').getByText('Posted before')],
    [`/profile/${other.username}`, (screen) => screen.getByRole('button', { name: /^Follow/ })],
    ['/edit-profile', (screen) => screen.getByLabel('Username')],
    [`/messages?c=${id}`, (screen) => screen.getByRole('article').getByText('Written before')],
    [`/?post=${postId}`, (screen) => screen.getByRole('dialog').getByText('Commented before')],
  ]
  const opened = await Promise.all(
    screens.map(async ([path, content], index) => {
      const tab = index === 0 ? page : await context.newPage()
      // Logged once a read is not repeated any more.
      const failed = tab.waitForEvent('console', (message) => /^read .*: server/.test(message.text()))
      await tab.goto(path)
      await failed
      await expect(content(tab), path).toHaveCount(0)
      return { path, shown: content(tab) }
    }),
  )
  isDown = false
  // Within ten seconds, as tests/renderer/lib/query-client.test.ts shows with a clock of its own.
  await Promise.all(opened.map(({ path, shown }) => expect(shown, path).toBeVisible()))
})
