import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

test('NOTE-03 a new notification arrives without reload and moves the badge', async ({
  page,
  member,
  newMember,
}) => {
  const fan = await newMember()
  const [post] = await insertPosts(member, 1)
  await page.goto('/messages')
  const bell = page.getByRole('button', { name: 'Notifications' })
  await expect(bell).toHaveAccessibleName('Notifications')
  await page.waitForLoadState('networkidle')

  const { error } = await fan.api.from('likes').insert({ post_id: post ?? '', user_id: fan.id })
  expect(error).toBeNull()
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
})
