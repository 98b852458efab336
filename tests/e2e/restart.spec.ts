import { createMember, plantSession } from './support/member'
import { expect, test } from './support/test'

test('AUTH-10 what was posted is there the next day, and the member is still signed in', {
  tag: '@long',
}, async ({ context, ownServer, page }) => {
  const member = await createMember(ownServer.info)
  await plantSession(context, ownServer.url, member)
  const { error } = await member.api.from('posts').insert({ user_id: member.id, content: 'First light' })
  expect(error).toBeNull()

  await ownServer.stop()
  await ownServer.restart()

  await page.goto(ownServer.url)
  await expect(page.getByRole('article').getByText('First light')).toBeVisible()
})
