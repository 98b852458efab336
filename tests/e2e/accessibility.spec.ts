import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { addStory, viewer } from './fixtures/stories'
import { openAccountMenu } from './support/auth-forms'
import { startConversation, write } from './support/conversations'
import { message } from './support/messages-page'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** What axe-core finds grave on the page as it is shown: `rule: element`. Contrast alone depends on the scheme. */
async function violations(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (onlyContrast) => {
    // What comes into view or changes its colour is looked at when it has: some frames, one after the other. What
    // stands still, goes with scrolling or turns for ever comes to no end that could be waited for.
    const isPassing = ({ effect, playState, timeline }: Animation) =>
      playState === 'running' &&
      timeline === document.timeline &&
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    for (let calm = 0; calm < 3; calm += 1) {
      await new Promise(requestAnimationFrame)
      const moving = document.getAnimations().filter(isPassing)
      if (moving.length > 0) calm = -1
      await Promise.allSettled(moving.map(({ finished }) => finished))
    }
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    // What stands behind a menu or a dialog cannot be reached: the focus stays in it.
    const { violations: found } = await inPage.run(
      { include: document, exclude: '[data-aria-hidden="true"]' },
      { resultTypes: ['violations'], ...(onlyContrast && { runOnly: ['color-contrast'] }) },
    )
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html} (${any.map(({ message }) => message).join(' ')})`),
      )
  }, scheme === 'dark')
}

async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    expect.soft(await violations(page, scheme), `${what}, ${scheme}`).toEqual([])
  }
}

test('every screen and dialog is free of grave accessibility violations, light and dark', async ({
  page,
  member,
  newMember,
  openAs,
}) => {
  const friend = await newMember({ fullName: 'Ines Duarte' })
  const [own = '', ...theirs] = [
    ...(await insertPosts(member, 1, { thumbnailBytes: 900, content: () => `Fog with @${friend.username}` })),
    ...(await insertPosts(friend, 2, { content: () => 'Up on the hill' })),
  ]
  await friend.api.from('likes').insert({ post_id: own, user_id: friend.id }).throwOnError()
  await friend.api
    .from('comments')
    .insert({ post_id: own, user_id: friend.id, content: 'That light!' })
    .throwOnError()
  await friend.api.from('follows').insert({ follower_id: friend.id, following_id: member.id }).throwOnError()
  const story = await addStory(friend, { content: 'Low tide' })
  const conversation = await startConversation(friend, member)
  await write(friend, conversation, 'Is the darkroom free?')
  await write(member, conversation, 'From four on')

  const visitor = await openAs(null)
  await visitor.goto('/login')
  await expect(visitor.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(visitor, 'login')
  await visitor.getByRole('button', { name: 'Connect to a server…' }).click()
  await expectAccessible(visitor, 'connect')
  await visitor.goto('/signup')
  await visitor.getByRole('button', { name: 'Sign up' }).click()
  await expectAccessible(visitor, 'signup')

  await page.goto('/')
  const card = page.locator(`[data-post="${own}"]`)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(card.getByText('That light!')).toBeVisible()
  await expectAccessible(page, 'feed with comments')
  await openAccountMenu(page)
  await expectAccessible(page, 'account menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog').getByText('liked your post')).toBeVisible()
  await expectAccessible(page, 'notifications')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Search' }).fill(friend.username)
  await expect(page.getByRole('option')).toHaveCount(1)
  await expectAccessible(page, 'search')

  await page.goto(`/?post=${own}`)
  const opened = page.getByRole('dialog', { name: `Post by ${member.username}` })
  await expect(opened.getByText('That light!')).toBeVisible()
  await expectAccessible(page, 'post')
  await opened.getByRole('button', { name: 'Post options' }).click()
  await page.getByRole('menuitem', { name: 'Edit post' }).click()
  await expectAccessible(page, 'edit post')

  await page.goto(`/?post=${theirs[0]}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Post options' }).click()
  await page.getByRole('menuitem', { name: 'Report post' }).click()
  await page.getByRole('dialog', { name: 'Report this post' }).waitFor()
  await expectAccessible(page, 'report')

  await page.goto(`/?story=${story}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(viewer(page, friend.username).getByText('Low tide')).toBeVisible()
  await expectAccessible(page, 'story')
  await page.goto('/?story=new')
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page, 'new story')

  await page.goto('/create')
  await page.getByPlaceholder("What's on your mind?").fill('x'.repeat(2_201))
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'create')

  await page.goto(`/messages?c=${conversation}`)
  await expect(message(page, 'From four on')).toBeVisible()
  await expectAccessible(page, 'conversation')
  await message(page, 'Is the darkroom free?').getByRole('button', { name: 'Message options' }).click()
  await expectAccessible(page, 'message options')

  await page.goto(`/profile/${member.username}?people=followers`)
  await expect(page.getByRole('dialog').getByText('Ines Duarte')).toBeVisible()
  await expectAccessible(page, 'followers')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(1)
  await expectAccessible(page, 'profile')
  await page.goto('/profile/nobody.at.all')
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
  await expectAccessible(page, 'nobody')

  await page.goto('/edit-profile')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expectAccessible(page, 'edit profile')
  await page.goto('/settings')
  await expect(page.getByText('You have blocked nobody.')).toBeVisible()
  await expectAccessible(page, 'settings')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('alertdialog').waitFor()
  await expectAccessible(page, 'confirmation')
})
