import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { FEED_PAGE } from '#/shared/limits'
import { photoPath } from './fixtures/photos'
import { startConversation, write } from './support/conversations'
import { onDisk } from './support/disk-cache'
import { chooseFiles } from './support/files'
import { nextFrames } from './support/frames'
import { answerWith, delayAnswer, failRequests, holdRequests } from './support/network'
import { insertPosts, NEXT_PAGES } from './support/posts'
import { expect, type Member, test } from './support/test'

/** Chooses from the menu of a post in the feed, or of the current profile. */
async function choose(page: Page, item: string, post?: string): Promise<void> {
  const menu =
    post === undefined
      ? page.getByRole('main').getByRole('button', { name: 'Options', exact: true })
      : page.getByRole('article').filter({ hasText: post }).getByRole('button', { name: 'Post options' })
  await menu.click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function blockedIds(member: Member): Promise<string[]> {
  const { data } = await member.api.from('blocks').select('blocked_id').throwOnError()
  return (data ?? []).map(({ blocked_id }) => blocked_id)
}

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('SAFE-01 a blocked member disappears at once, is hidden in both directions, and Undo restores them', {
  tag: '@smoke',
}, async ({ page, member, newMember, openAs }) => {
  const [other, third] = await Promise.all([newMember(), newMember()])
  await other.api.from('follows').insert({ follower_id: other.id, following_id: member.id }).throwOnError()
  const [mine = ''] = await insertPosts(member, 1, { content: () => 'My words' })
  await other.api
    .from('comments')
    .insert({ user_id: other.id, post_id: mine, content: 'Their comment' })
    .throwOnError()
  await insertPosts(other, 1, { content: () => 'Theirs one' })
  await insertPosts(third, 1, { content: () => 'Thirds' })
  await insertPosts(other, 1, { content: () => 'Theirs two' })

  await page.goto('/')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName(/unread/)
  await expect(page.getByText('Theirs two')).toBeVisible()
  await choose(page, `Block ${other.username}`, 'Theirs one')
  const dialog = page.getByRole('dialog', { name: `Block ${other.username}?` })
  await expect(dialog).toContainText('deleted for good')
  await expect(dialog).toContainText('They are not told.')
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(status(page, `${other.username} is blocked.`)).toBeVisible()
  // A toast stays while the pointer is over it.
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover()
  await expect(page.getByText(/Theirs (one|two)/)).toHaveCount(0)
  await expect(page.getByText('Thirds')).toBeVisible()
  await expect(bell).toHaveAccessibleName('Notifications')
  const own = page.getByRole('article').filter({ hasText: 'My words' })
  await own.getByRole('button', { name: 'Comment', exact: true }).click()
  await undo.hover()
  await expect(own.getByText('No comments yet. Be the first.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search' }).fill(other.username)
  await expect(page.getByText('No people, hashtags or places')).toBeVisible()
  await page.keyboard.press('Escape')
  const { count } = await member.api
    .from('follows')
    .select('follower_id', { count: 'exact', head: true })
    .eq('following_id', member.id)
    .throwOnError()
  expect(count).toBe(0)

  const theirs = await openAs(other)
  const isBlocker = theirs.waitForResponse(/rpc\/blocked_members/)
  await theirs.goto(`/profile/${member.username}`)
  await expect(theirs.getByRole('heading', { name: 'User not found' })).toBeVisible()
  await (await isBlocker).finished()
  await nextFrames(theirs)
  await expect(theirs.getByText('You blocked this member.')).toHaveCount(0)

  await undo.click()
  await expect(page.getByText('Theirs one')).toBeVisible()
  expect(await blockedIds(member)).toEqual([])
})

test('SAFE-01 SAFE-04 blocking on the profile leaves the page, and the settings unblock the member', {
  tag: '@long',
}, async ({ page, member, newMember, problems }) => {
  const other = await newMember({ fullName: 'Olga Other' })
  await page.goto(`/profile/${other.username}`)
  problems.expect(/rpc\/block_members/, /block: offline/)
  const undo = await failRequests(page, /rpc\/block_members/)
  await choose(page, 'Block')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('That did not work. Please try again.')
  await undo()
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(page).toHaveURL('/')
  await page.goto(`/profile/${other.username}`)
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
  await expect(page.getByText('You blocked this member.')).toBeVisible()
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Blocked and muted' })
  const row = section.getByRole('listitem').filter({ hasText: other.username })
  await expect(row).toContainText('Olga Other')
  await row.getByRole('button', { name: `Unblock ${other.username}` }).click()
  // The row stays until the member leaves the page, with a button to block again.
  await row.getByRole('button', { name: `Block ${other.username}`, exact: true }).click()
  await expect(row.getByRole('button', { name: `Unblock ${other.username}` })).toBeEnabled()
  expect(await blockedIds(member)).toEqual([other.id])
  await row.getByRole('button', { name: `Unblock ${other.username}` }).click()
  await expect(row.getByRole('button', { name: `Block ${other.username}`, exact: true })).toBeEnabled()
  expect(await blockedIds(member)).toEqual([])
  await page.reload()
  await expect(section.getByText('You have blocked nobody.')).toBeVisible()
  await section.getByRole('tab', { name: 'Muted members' }).click()
  await expect(section.getByText('You have muted nobody.')).toBeVisible()
  await page.goto(`/profile/${other.username}`)
  const profile = page.getByRole('heading', { level: 1, name: other.username })
  await expect(profile).toBeVisible()

  // Blocked in another window: the 'not found' page offers to unblock too.
  await member.api.rpc('block_members', { ids: [other.id] }).throwOnError()
  await page.reload()
  await page.getByRole('main').getByRole('button', { name: 'Unblock' }).click()
  await expect(profile).toBeVisible()
  expect(await blockedIds(member)).toEqual([])
})

test('SAFE-01 an old conversation shows the blocked member, no unread mark, and a button to unblock', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const conversation = await startConversation(other, member)
  await write(other, conversation, 'Are you there?')
  await page.goto('/messages')
  const link = page.getByRole('link', { name: /^Messages/ })
  const row = page.getByRole('main').getByRole('link', { name: other.username })
  await expect(link).toHaveAccessibleName('Messages, 1 unread')
  await expect(row).toHaveAccessibleName(/Unread/)
  await member.api.rpc('block_members', { ids: [other.id] }).throwOnError()
  const counted = page.waitForResponse(/rpc\/unread_conversations/)
  await page.reload()
  await expect(row).toHaveAccessibleName(/Are you there/)
  await (await counted).finished()
  await nextFrames(page)
  await expect(row).not.toHaveAccessibleName(/Unread/)
  await expect(link).toHaveAccessibleName('Messages')
  // The first response about the open conversation arrives after the unblocking, and is outdated.
  const late = await delayAnswer(page, /\/rest\/v1\/conversations\?.*&id=in/)
  await row.click()
  await late.answered
  await expect(page.getByText(`You blocked ${other.username}.`)).toBeVisible()
  await expect(page.getByRole('heading', { name: other.username })).toBeVisible()
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expect.poll(() => blockedIds(member)).toEqual([])
  await late.release()
  await expect(page.getByPlaceholder('Type a message...')).toBeVisible()
  expect(await blockedIds(member)).toEqual([])
})

test('SAFE-02 FEED-18 a feed from the cache with few posts loads its next page after the newest posts have replaced it', {
  tag: '@long',
}, async ({ context, page, member, newMember }) => {
  const [loud, quiet] = await Promise.all([newMember(), newMember()])
  await insertPosts(quiet, 1, { content: () => 'From the next page' })
  await insertPosts(loud, FEED_PAGE - 2)
  await insertPosts(quiet, 2, { content: (index) => `From the first page ${index}` })
  await member.api.from('mutes').insert({ muter_id: member.id, muted_id: loud.id }).throwOnError()
  const unfinished = await holdRequests(page, NEXT_PAGES)
  await page.goto('/')
  await unfinished.arrived
  await expect.poll(() => onDisk(page)).toContain(JSON.stringify(['feed', 'everyone', 'pages']))
  await page.close()

  // The newest posts arrive while the next page is loading, and cancel it.
  const reopened = await context.newPage()
  const newest = await delayAnswer(
    reopened,
    /\/rest\/v1\/posts\?(?!.*created_at=lte).*order=created_at\.desc/,
  )
  const next = await holdRequests(reopened, NEXT_PAGES)
  await reopened.goto('/')
  await Promise.all([newest.answered, next.arrived])
  await newest.release()
  await expect.poll(next.count).toBe(2)
  await next.release()
  await expect(reopened.getByText('From the next page')).toBeVisible()
})

test('SAFE-06 a photo beyond the upload quota shows a message and stays in the composer', {
  tag: '@long',
}, async ({ member: _signedIn, page, problems }) => {
  problems.expect(/status of 429.*\/storage\/v1\/object/, /share post: rate-limited/)
  await page.goto('/create')
  await chooseFiles(page.getByRole('button', { name: 'Choose photos' }), photoPath('orientation-1.jpg'))
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await answerWith(page, /\/storage\/v1\/object\/media\//, {
    status: 429,
    json: {
      statusCode: '429',
      error: 'TooManyRequests',
      message: 'You have uploaded too many files that nothing uses',
    },
  })
  await share.click()
  await expect(page.getByText('You are doing this too fast. Wait a while, then try again.')).toBeVisible()
  await expect(share).toBeEnabled()
  await expect(page.getByRole('img', { name: texts.composer.previewAlt })).toBeVisible()
  await expect(page).toHaveURL('/create')
})
