import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'

async function post(author: Member): Promise<string> {
  const [id] = await insertPosts(author, 1, { content: () => `By ${author.username}` })
  if (id === undefined) throw new Error('no post')
  return id
}

test('FEED-13 Following shows the posts of followed members and the own ones, works by keyboard, and the choice is remembered', async ({
  page,
  member,
  newMember,
}) => {
  const [friend, other] = [await newMember(), await newMember()]
  const [mine, theirs, foreign] = [await post(member), await post(friend), await post(other)]
  await member.api.from('follows').insert({ follower_id: member.id, following_id: friend.id }).throwOnError()
  const card = (id: string) => page.locator(`article[data-post="${id}"]`)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })

  await page.goto('/')
  await expect(tab('Everyone')).toHaveAttribute('aria-selected', 'true')
  for (const id of [mine, theirs, foreign]) await expect(card(id)).toBeVisible()

  await expect(page.getByRole('tablist', { name: 'Feeds' }).getByRole('tab')).toHaveText([
    'Following',
    'Everyone',
  ])
  await tab('Everyone').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tab('Following')).toBeFocused()
  await expect(tab('Following')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Following' })).toBeVisible()
  for (const id of [mine, theirs]) await expect(card(id)).toBeVisible()
  await expect(card(foreign)).toHaveCount(0)

  await page.reload()
  await expect(tab('Following')).toHaveAttribute('aria-selected', 'true')
  await expect(card(theirs)).toBeVisible()

  await test.step('a member who is no longer followed leaves the feed at once', async () => {
    await card(theirs).getByRole('link', { name: friend.username }).first().click()
    await page.getByRole('button', { name: 'Unfollow' }).click()
    await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(card(mine)).toBeVisible()
    await expect(card(theirs)).toHaveCount(0)
  })

  await test.step('the posts of a member who has just been followed wait behind the pill', async () => {
    await tab('Everyone').click()
    await card(foreign).getByRole('link', { name: other.username }).first().click()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await page.getByRole('link', { name: 'Home' }).click()
    await tab('Following').click()
    await page.getByRole('button', { name: 'New posts' }).click()
    await expect(card(foreign)).toBeVisible()
  })
})
