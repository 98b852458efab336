import { createMember, plantSession, signInMember } from './support/member'
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

test('a server that is killed loses nothing it has acknowledged', { tag: '@long' }, async ({ ownServer }) => {
  const member = await createMember(ownServer.info)
  const acknowledged: string[] = []
  for (let number = 0; number < 25; number += 1) {
    const content = `Post ${number}`
    const { error } = await member.api.from('posts').insert({ user_id: member.id, content })
    expect(error).toBeNull()
    acknowledged.push(content)
  }
  await ownServer.kill()
  await ownServer.restart()

  const again = await signInMember(ownServer.info, member)
  const { data, error } = await again.api.from('posts').select('content').eq('user_id', member.id)
  expect(error).toBeNull()
  expect(data?.map(({ content }) => content).sort()).toEqual(acknowledged.sort())
})
