import { randomUUID } from 'node:crypto'
import { longStep } from './support/long-step'
import type { Member } from './support/member'
import { joined } from './support/network'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** Inserts a comment as this member; returns its id. */
async function comment(author: Member, post: string, content: string, parent_id: string | null = null) {
  const row = { id: randomUUID(), post_id: post, user_id: author.id, content, parent_id }
  await author.api.from('comments').insert(row).throwOnError()
  return row.id
}

test('FEED-15 NOTE-05 a comment is answered and liked, its author is notified, and everybody sees it live', {
  tag: '@smoke',
}, async ({ page, member, newMember, openAs }) => {
  const author = await newMember()
  const [post = ''] = await insertPosts(author, 1)
  await comment(author, post, 'Where was this?')
  const viewer = await openAs(author)
  const live = joined(viewer, `"realtime:post:${post}","phx_reply"`)
  await viewer.goto(`/?post=${post}`)
  const watched = viewer.getByRole('dialog', { name: `Post by ${author.username}` })
  await expect(watched.getByText('Where was this?')).toBeVisible()
  await live

  await page.goto(`/?post=${post}`)
  const opened = page.getByRole('dialog', { name: `Post by ${author.username}` })
  await opened.getByRole('button', { name: `Like the comment by ${author.username}` }).click()
  await expect(opened.getByText('1 like', { exact: true })).toBeVisible()
  await opened.getByRole('button', { name: `Reply to ${author.username}` }).click()
  await expect(opened.getByText(`Replying to ${author.username}`)).toBeVisible()
  const field = opened.getByPlaceholder('Add a comment...')
  await expect(field).toBeFocused()
  await opened.getByRole('button', { name: 'Cancel reply' }).click()
  await expect(opened.getByText(`Replying to ${author.username}`)).toHaveCount(0)
  await opened.getByRole('button', { name: `Reply to ${author.username}` }).click()
  await field.pressSequentially('At the weir,')
  await page.keyboard.press('Shift+Enter')
  await field.pressSequentially('at six')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('')
  const replies = opened.getByRole('list', { name: `Replies to ${author.username}` })
  await expect(replies.getByText(/At the weir,\nat six/)).toBeVisible()

  // The author has the post open, sees the thread grow and answers; both see the answer live.
  await watched.getByRole('button', { name: /^View 1 reply/ }).click()
  await watched.getByRole('button', { name: `Reply to ${member.username}` }).click()
  const answer = watched.getByPlaceholder('Add a comment...')
  await expect(answer).toHaveValue(`@${member.username} `)
  await answer.pressSequentially('thank you')
  await viewer.keyboard.press('Enter')
  await expect(replies.getByText('thank you')).toBeVisible()
  const { data } = await author.api
    .from('notifications')
    .select('type')
    .eq('user_id', author.id)
    .order('type')
  expect(data?.map(({ type }) => type)).toEqual(['comment_like', 'reply'])

  // A deleted comment disappears for everybody, with its replies.
  const { data: thread } = await author.api
    .from('comments')
    .select('id')
    .eq('post_id', post)
    .is('parent_id', null)
    .throwOnError()
  await author.api.rpc('delete_comments', { ids: thread.map(({ id }) => id) }).throwOnError()
  await expect(opened.getByText('No comments yet. Be the first.')).toBeVisible()
  await expect(watched.getByText('No comments yet. Be the first.')).toBeVisible()
})

test('FEED-15 NOTE-04 a link opens the post at a comment, also one of a later page or in a thread', {
  tag: '@steps',
}, async ({ page, member, newMember }) => {
  const fan = await newMember()
  const [post = ''] = await insertPosts(member, 1)
  const rows = Array.from({ length: 30 }, (_, n) => ({
    post_id: post,
    user_id: fan.id,
    content: `Comment ${n}`,
  }))
  await fan.api.from('comments').insert(rows).throwOnError()
  const last = await comment(member, post, 'The last one')
  const reply = await comment(fan, post, 'A late reply', last)

  await page.goto(`/?post=${post}&comment=${last}`)
  const opened = page.getByRole('dialog', { name: `Post by ${member.username}` })
  const linked = opened.locator('[data-linked]')
  await expect(linked).toContainText('The last one')
  await expect(linked).toBeInViewport()
  await expect(linked).toBeFocused()

  await longStep(
    'the link is copied, in a thread too, and a comment that is gone is said to be',
    async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await linked.getByRole('button', { name: `Options of the comment by ${member.username}` }).click()
      await page.getByRole('menuitem', { name: 'Copy link' }).click()
      await expect(page.getByText('Link copied')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        new RegExp(`/\\?post=${post}&comment=${last}$`),
      )
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL('/')

      // The notification of the reply opens its thread.
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await page.getByRole('dialog', { name: 'Notifications' }).getByText('replied to your comment').click()
      await expect(page).toHaveURL(`/?post=${post}&comment=${reply}`)
      await expect(linked).toContainText('A late reply')
      await expect(linked).toBeInViewport()

      await page.goto(`/?post=${post}&comment=${randomUUID()}`)
      await expect(opened.getByText('The comment of this link is not here.')).toBeVisible()
      // Comments of one statement have the same time, and so no defined order.
      await expect(opened.getByText(/^Comment \d+$/).first()).toBeVisible()
    },
  )
})
