import { addStory } from './fixtures/stories'
import { deleteDatabases } from './support/contexts'
import { startConversation, write } from './support/conversations'
import { MOST_SHIFT, sumOf, watchShifts } from './support/layout-shifts'
import { longStep } from './support/long-step'
import { insertPhotoPost } from './support/photo-posts'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

test('FEED-21 MEDIA-02 no screen moves by itself while it is loaded without a cache', {
  tag: '@steps',
}, async ({ member, other, newMember, openAs }) => {
  const author = await newMember({ fullName: 'Ines Duarte' })
  await other.api.from('profiles').update({ bio: 'Two lines\nof a bio' }).eq('id', other.id).throwOnError()
  await insertPosts(author, 4)
  const photo = await insertPhotoPost(
    author,
    [{ size: [900, 600] }, { size: [400, 600] }],
    'A #harbour at dusk',
  )
  await insertPhotoPost(other, [{ size: [600, 900] }], 'Upright')
  await addStory(author)
  await member.api.from('follows').insert({ follower_id: member.id, following_id: author.id }).throwOnError()
  await member.api.from('hashtag_follows').insert({ follower_id: member.id, tag: 'harbour' }).throwOnError()
  const conversation = await startConversation(other, member)
  await write(other, conversation, 'Hello')

  const screens = ['/', `/?post=${photo}`]
  const others = [
    `/profile/${author.username}`,
    `/messages?c=${conversation}`,
    '/?explore',
    '/settings',
    '/?tag=harbour',
    '/?q=dusk',
    '/create',
    `/profile/${member.username}`,
    '/edit-profile',
    '/messages',
  ]
  const found: string[] = []
  const walk = async (width: number, height: number, addresses: readonly string[]) => {
    const page = await openAs(member)
    const shifted = await watchShifts(page)
    await page.setViewportSize({ width, height })
    for (const screen of addresses) {
      await page.goto('/config.json')
      await deleteDatabases(page)
      await page.goto(screen)
      await expect(page.locator('main')).toBeAttached()
      await page.waitForLoadState('networkidle')
      const shifts = (await shifted()).filter(({ isOfInput }) => !isOfInput)
      const sum = sumOf(shifts)
      if (sum > MOST_SHIFT)
        found.push(`${width} ${screen} ${sum.toFixed(3)}\n${JSON.stringify(shifts, null, 1)}`)
    }
    await page.close()
  }
  await walk(1_280, 860, screens)
  await longStep('other screens', () => walk(1_280, 860, others))
  const all = [...screens, ...others]
  await longStep('in a small window', () => walk(900, 640, all))
  await longStep('in a wide window', () => walk(1_600, 900, all))
  await longStep('in the widest windows', () => walk(2_560, 1_440, all))
  expect(found).toEqual([])
})
