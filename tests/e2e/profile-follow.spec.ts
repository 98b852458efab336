import { nextFrames } from './support/frames'
import { longStep } from './support/long-step'
import { expect, type Member, test } from './support/test'

async function isFollowing(follower: Member, followed: Member): Promise<boolean> {
  const { data, error } = await follower.api
    .from('follows')
    .select('created_at')
    .eq('follower_id', follower.id)
    .eq('following_id', followed.id)
  if (error) throw error
  return data.length === 1
}

async function hasAsked(requester: Member, target: Member): Promise<boolean> {
  const { data, error } = await requester.api
    .from('follow_requests')
    .select('created_at')
    .eq('requester_id', requester.id)
    .eq('target_id', target.id)
  if (error) throw error
  return data.length === 1
}

async function setPrivate(member: Member, is_private: boolean): Promise<void> {
  const { error } = await member.api.from('profiles').update({ is_private }).eq('id', member.id)
  if (error) throw error
}

test('SET-04 PROF-03 a private account receives a request, and shows its posts as soon as it accepts', {
  tag: ['@steps', '@smoke'],
}, async ({ page, member, newMember, openAs }) => {
  const owner = await newMember()
  await setPrivate(owner, true)
  await owner.api.from('posts').insert({ user_id: owner.id, content: 'For friends' })
  await page.goto(`/profile/${owner.username}?people=followers`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'This account is private' })).toBeVisible()
  await expect(main.getByText('1 post', { exact: true })).toBeVisible()
  await expect(main.getByText('0 followers')).toBeVisible()
  await expect(main.getByRole('link', { name: /follow/ })).toHaveCount(0)
  await expect(main.getByRole('tab')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await main.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Requested' })).toBeVisible()
  await expect(main.getByText('0 followers')).toBeVisible()
  await expect.poll(() => hasAsked(member, owner)).toBe(true)
  await main.getByRole('button', { name: 'Requested' }).click()
  await expect(main.getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await expect.poll(() => hasAsked(member, owner)).toBe(false)
  await main.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect.poll(() => hasAsked(member, owner)).toBe(true)

  const owners = await openAs(owner)
  await owners.goto(`/profile/${owner.username}`)
  const listed = owners.waitForResponse(/rest\/v1\/rpc\/notification_groups/)
  await owners.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const requests = owners.getByRole('region', { name: 'Follow requests' })
  await expect(requests.getByRole('listitem')).toContainText(member.username)
  // The request shows once, at the top.
  await (await listed).finished()
  await nextFrames(owners)
  await expect(owners.getByText('asked to follow you')).toHaveCount(0)
  await requests.getByRole('button', { name: `Accept ${member.username}` }).click()
  await expect(requests).toHaveCount(0)
  await expect(owners.getByRole('main').getByText('1 follower', { exact: true })).toBeVisible()
  await expect.poll(() => isFollowing(member, owner)).toBe(true)
  expect(await hasAsked(member, owner)).toBe(false)

  // The open page and the bell update without a reload.
  const followers = page.getByRole('dialog', { name: 'Followers' })
  await expect(followers.getByRole('listitem')).toContainText(member.username)
  await page.keyboard.press('Escape')
  await expect(main.getByRole('button', { name: 'Unfollow' })).toBeVisible()
  await expect(main.getByText('For friends...')).toBeVisible()
  await expect(main.getByText('1 follower', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await bell.getByText(`${owner.username} accepted your request to follow`).click()
  await expect(page).toHaveURL(`/profile/${owner.username}`)

  await longStep('unfollowing a private account asks for confirmation', async () => {
    // Unfollowing a private account asks for confirmation, because following again needs a new request.
    const unfollow = async (answer: string) => {
      await main.getByRole('button', { name: 'Unfollow' }).click()
      const dialog = page.getByRole('alertdialog', { name: `Unfollow ${owner.username}?` })
      await expect(dialog).toContainText('You will have to ask again to follow it.')
      await dialog.getByRole('button', { name: answer }).click()
      await expect(dialog).toHaveCount(0)
    }
    await unfollow('Cancel')
    await expect(main.getByText('For friends...')).toBeVisible()
    await unfollow('Unfollow')
    await expect(main.getByRole('heading', { name: 'This account is private' })).toBeVisible()
    await expect.poll(() => isFollowing(member, owner)).toBe(false)
    await page.getByRole('button', { name: 'Notifications', exact: true }).click()
    await expect(bell.getByText('Nothing new yet')).toBeVisible()
  })
})

test('SET-04 an account that has become private receives a request, one that has become public is followed', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  await page.goto(`/profile/${other.username}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Follow', exact: true })).toBeEnabled()
  await setPrivate(other, true)
  problems.expect(/403.*rest\/v1\/follows/, /409.*rest\/v1\/follow_requests/)
  await main.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Requested' })).toBeVisible()
  await expect.poll(() => hasAsked(member, other)).toBe(true)
  await expect(main.getByText('0 followers')).toBeVisible()
  await expect(main.getByRole('heading', { name: 'This account is private' })).toBeVisible()

  const readAgain = page.waitForResponse(/\/rest\/v1\/profiles/)
  await main.getByRole('button', { name: 'Requested' }).click()
  await readAgain
  expect(await hasAsked(member, other)).toBe(false)
  await setPrivate(other, false)
  await main.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Unfollow' })).toBeVisible()
  await expect.poll(() => isFollowing(member, other)).toBe(true)
  await expect(main.getByText('1 follower', { exact: true })).toBeVisible()
})

test('PROF-12 a long list loads in pages, complete and without duplicates', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  test.slow()
  const followed: Member[] = []
  for (let count = 0; count < 35; count += 1) followed.push(await newMember())
  const { error } = await member.api
    .from('follows')
    .insert(followed.map(({ id }) => ({ follower_id: member.id, following_id: id })))
  if (error) throw error
  await page.goto(`/profile/${member.username}?people=following`)
  const dialog = page.getByRole('dialog', { name: 'Following' })
  const rows = dialog.getByRole('listitem').filter({ has: page.getByRole('link') })
  await expect(rows).toHaveCount(30)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(35)
  const names = await rows
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(names.sort()).toEqual(followed.map(({ username }) => `/profile/${username}`).sort())
  // A list opened by its URL closes to the profile.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/profile/${member.username}`)
})

test('PROF-12 the like count of a post opens the list of likers, over the page and over an open post', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const liker = await newMember({ fullName: 'Ines Duarte' })
  const id = crypto.randomUUID()
  const posted = await member.api.from('posts').insert({ id, user_id: member.id, content: 'First light' })
  if (posted.error) throw posted.error
  const liked = await liker.api.from('likes').insert({ post_id: id, user_id: liker.id })
  if (liked.error) throw liked.error
  await page.goto('/')
  const likes = page.getByRole('dialog', { name: 'Likes' })
  await page.locator(`article[data-post="${id}"]`).getByRole('link', { name: '1 like' }).click()
  await expect(likes.getByRole('listitem')).toContainText('Ines Duarte')
  await expect(likes.getByRole('button', { name: `Follow ${liker.username}` })).toBeEnabled()
  await page.goBack()
  await expect(likes).toHaveCount(0)
  await expect(page).toHaveURL('/')

  await page.goto(`/profile/${member.username}`)
  await page.getByRole('tabpanel').getByRole('link').click()
  const open = page.getByRole('dialog')
  await open.getByRole('link', { name: '1 like' }).click()
  await expect(likes.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(likes).toHaveCount(0)
  await expect(open.getByText('First light')).toBeVisible()
  await expect(page).toHaveURL(`/profile/${member.username}?post=${id}`)
  await open.getByRole('link', { name: '1 like' }).click()
  await likes.getByRole('link', { name: liker.username }).click()
  await expect(page).toHaveURL(`/profile/${liker.username}`)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
