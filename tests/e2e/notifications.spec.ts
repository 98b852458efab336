import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { startConversation, write } from './support/conversations'
import { holdRequests, joined } from './support/network'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'
import { visit } from './support/visit'

async function openBell(page: Page) {
  await page.getByRole('button', { name: /^Notifications/ }).click()
  return page.getByRole('dialog', { name: 'Notifications' })
}

test('NOTE-06 groups what happened to one item, adds to a group live where it stands, and follows back in place', {
  tag: '@smoke',
}, async ({ page, member, newMember }) => {
  const [ada, ben, cleo] = await Promise.all([newMember(), newMember(), newMember()])
  const [post = ''] = await insertPosts(member, 1, { content: () => 'Harbour at six' })
  const like = (fan: Member) =>
    fan.api.from('likes').insert({ post_id: post, user_id: fan.id }).throwOnError()
  const follow = (fan: Member) =>
    fan.api.from('follows').insert({ follower_id: fan.id, following_id: member.id }).throwOnError()
  await follow(ada)
  await like(ada)
  await like(ben)

  const live = joined(page)
  await page.goto('/settings')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName('Notifications, 3 unread')
  await live
  const list = await openBell(page)
  const items = list.getByRole('listitem')
  await expect(items).toHaveText([
    new RegExp(`${ben.username} and 1 other liked your post: Harbour at six`),
    new RegExp(`${ada.username} started following you`),
  ])

  // The focus stays on its line when another line moves above it, and when its own gets another member.
  const follower = items.filter({ hasText: 'started following you' }).getByRole('link')
  await follower.focus()
  await like(cleo)
  await expect(items.first()).toHaveText(new RegExp(`${cleo.username} and 2 others liked your post`))
  await expect(items).toHaveCount(2)
  await expect(follower).toBeFocused()
  await expect(bell).toHaveAccessibleName('Notifications, 4 unread')

  await items.first().getByRole('button', { name: 'Mark as read' }).click()
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
  const { data: likes } = await member.api.from('notifications').select('read').eq('type', 'like')
  expect(likes).toEqual([{ read: true }, { read: true }, { read: true }])

  await list.getByRole('button', { name: `Follow back ${ada.username}` }).click()
  await expect(list.getByRole('button', { name: `Unfollow ${ada.username}` })).toBeEnabled()
  await expect
    .poll(
      async () => (await member.api.from('follows').select('following_id').eq('follower_id', member.id)).data,
    )
    .toEqual([{ following_id: ada.id }])

  // Several followers of a day are one line, which opens their list.
  await follow(ben)
  await list.getByRole('link', { name: `${ben.username} and 1 other started following you` }).click()
  await expect(page).toHaveURL(`/profile/${member.username}?people=followers`)
  await expect(page.getByRole('dialog', { name: 'Followers' }).getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName('Notifications')
  await expect(page.getByText('Follows you')).toHaveCount(0)
  await visit(page, `/profile/${ada.username}`)
  await expect(page.getByText('Follows you', { exact: true })).toBeVisible()
})

test('NOTE-04 a notification whose subject was deleted says so', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  const fan = await newMember()
  const [post = ''] = await insertPosts(member, 1)
  const liked = await fan.api.from('likes').insert({ post_id: post, user_id: fan.id })
  expect(liked.error).toBeNull()
  await page.goto('/settings')
  const list = await openBell(page)
  await expect(list.getByText('liked your post')).toBeVisible()
  // Deleted on another device while the list is open.
  await page.waitForLoadState('networkidle')
  const reading = await holdRequests(page, /\/rpc\/notification_groups/)
  const deleted = await member.api.rpc('delete_posts', { ids: [post] })
  expect(deleted.error).toBeNull()
  await list.getByText('liked your post').click()
  await expect(page.getByText('This post is not here')).toBeVisible()
  await reading.release()
})

test('NOTE-02 NOTE-03 a new comment shows under its post, already open or opened by its notification', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const fan = await newMember()
  const [post = ''] = await insertPosts(member, 1, { content: () => 'Harbour at six' })
  const comment = (content: string) =>
    fan.api.from('comments').insert({ post_id: post, user_id: fan.id, content }).throwOnError()
  const live = joined(page)
  await page.goto(`/?post=${post}`)
  const opened = page.getByRole('dialog', { name: `Post by ${member.username}` })
  await expect(opened.getByText('No comments yet. Be the first.')).toBeVisible()
  await live
  await comment('That light!')
  await expect(opened.getByText('That light!')).toBeVisible()
  await expect(opened.getByText('1 comment', { exact: true })).toBeAttached()

  await page.keyboard.press('Escape')
  await expect(opened).toHaveCount(0)
  await comment('And the gulls')
  const list = await openBell(page)
  await list.getByRole('link', { name: /And the gulls/ }).click()
  await expect(opened.getByText('And the gulls')).toBeVisible()
  await expect(opened.getByText('That light!')).toBeVisible()
})

test('NOTE-01 lists a follow request first, counts it once, moves the focus to the next one, and leaves no unread notification after an answer', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const [later, asker] = [await newMember(), await newMember()]
  const hidden = await member.api.from('profiles').update({ is_private: true }).eq('id', member.id)
  expect(hidden.error).toBeNull()
  const asked = await asker.api
    .from('follow_requests')
    .insert({ requester_id: asker.id, target_id: member.id })
  expect(asked.error).toBeNull()

  await page.goto('/settings')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
  const list = await openBell(page)
  const items = list.getByRole('listitem')
  await expect(items).toHaveText([new RegExp(`${asker.username} asks to follow you`)])

  // A request counts as read once it has been visible, and stays until it is answered.
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName('Notifications')
  const second = await later.api
    .from('follow_requests')
    .insert({ requester_id: later.id, target_id: member.id })
  expect(second.error).toBeNull()
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
  await (await openBell(page)).getByRole('button', { name: `Accept ${later.username}` }).press('Enter')

  // The focus moves to the next request, and after the last one to the list.
  const next = items.filter({ hasText: `${asker.username} asks to follow you` })
  await expect(next).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(next.getByRole('link')).toBeFocused()
  await next.getByRole('button', { name: `Decline ${asker.username}` }).press('Enter')
  await expect(items).toHaveText([new RegExp(`${later.username} started following you`)])
  await expect(list).toBeFocused()

  // The new follow is the member's own doing, so it is not unread.
  await expect(list.getByRole('button', { name: 'Mark as read' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName('Notifications')
  const { data } = await member.api.from('notifications').select('type,read')
  expect(data).toEqual([{ type: 'follow', read: true }])
})

test('NAV-02 NOTE-03 FEED-15 what others undo or delete leaves badge, bell and open screens at once', async ({
  page,
  member,
  newMember,
}) => {
  const fan = await newMember()
  const [post = ''] = await insertPosts(member, 1, { content: () => 'Harbour at six' })
  const [theirs = ''] = await insertPosts(fan, 1, { content: () => 'Low tide' })
  await fan.api.from('likes').insert({ post_id: post, user_id: fan.id }).throwOnError()
  const comment = { id: randomUUID(), post_id: post, user_id: fan.id, content: 'That light!' }
  await fan.api.from('comments').insert(comment).throwOnError()
  const live = joined(page)
  await page.goto(`/?post=${theirs}`)
  const opened = page.getByRole('dialog', { name: `Post by ${fan.username}` })
  await expect(opened.getByText('No comments yet. Be the first.')).toBeVisible()
  await live

  await test.step('an open post that is deleted says so', async () => {
    await fan.api.rpc('delete_posts', { ids: [theirs] }).throwOnError()
    await expect(page.getByText('This post is not here')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a withdrawn like and a deleted comment leave the badge and the open bell', async () => {
    const bell = page.getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName('Notifications, 2 unread')
    const items = (await openBell(page)).getByRole('listitem')
    await expect(items).toHaveCount(2)
    await fan.api.from('likes').delete().eq('post_id', post).throwOnError()
    await expect(items).toHaveText([/commented on your post/])
    await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
    await fan.api.rpc('delete_comments', { ids: [comment.id] }).throwOnError()
    await expect(items).toHaveCount(0)
    await expect(bell).toHaveAccessibleName('Notifications')
  })

  await test.step('a deleted account closes its open conversation', async () => {
    const id = await startConversation(fan, member)
    await write(fan, id, 'See you at six')
    await visit(page, `/messages?c=${id}`)
    await expect(page.getByRole('log').getByText('See you at six')).toBeVisible()
    expect((await fan.api.rpc('delete_account')).error).toBeNull()
    await expect(page.getByText('This member is no longer here')).toBeVisible()
  })
})
