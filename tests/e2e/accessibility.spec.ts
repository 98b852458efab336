import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { photoPath } from './fixtures/photos'
import { addStory, viewer } from './fixtures/stories'
import { openAccountMenu, signOut } from './support/auth-forms'
import { violations } from './support/axe'
import { startConversation, startRequest, write } from './support/conversations'
import { chooseFiles } from './support/files'
import { nextFrames } from './support/frames'
import { longStep } from './support/long-step'
import { message } from './support/messages-page'
import { insertPhotoPost } from './support/photo-posts'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'
import { visit } from './support/visit'

/** Elements with a state that is on. */
const STATES =
  '[aria-selected=true], [aria-pressed=true], [aria-checked=true], [aria-current], [data-highlighted], label:has(> :checked)'

/** Marks that are nothing but a ground: dots, rings, badges, the parts of a progress bar. */
const MARKS = '.bg-accent:enabled, .bg-accent:not(button), .bg-active, .bg-edge, .bg-white, .story-ring'

/** Elements that only their ground sets apart from the page. */
const GROUNDS = 'input[type=search], .bg-sunk, .bg-lifted, .bg-line:not(.h-px)'

/** The kinds of states and marks that a page has been checked for: elements with the same classes look the same. */
const checkedKinds = new WeakMap<Page, Set<string>>()

/** The visible states and marks in the topmost layer, of kinds that have not been checked yet, each with `data-checked`. */
async function markStates(page: Page): Promise<string[]> {
  const known = checkedKinds.get(page) ?? new Set<string>()
  checkedKinds.set(page, known)
  const found = await page.evaluate(
    ([states, marks, seen]) => {
      const kinds: string[] = []
      const layers = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')
      const layer = [...layers].at(-1) ?? document
      for (const element of layer.querySelectorAll<HTMLElement>(`:is(${states}, ${marks})`)) {
        const kind = `${element.tagName.toLowerCase()} ${element.getAttribute('role') ?? ''} ${element.className}`
        const { left, right, top, bottom, width, height } = element.getBoundingClientRect()
        const isInView = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const isOnTop =
          element.contains(topmost) ||
          topmost?.contains(element) ||
          getComputedStyle(element).pointerEvents === 'none'
        if (seen.includes(kind) || kinds.includes(kind) || width * height === 0 || !isInView || !isOnTop)
          continue
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        element.dataset.checked = String(kinds.length)
        kinds.push(kind)
      }
      return kinds
    },
    [STATES, MARKS, [...known]] as const,
  )
  for (const kind of found) known.add(kind)
  return found
}

/** Switches the state of a marked element off on the screen, or removes the ground of a mark. Returns a function that undoes it. */
async function switchOff(page: Page, index: number): Promise<() => Promise<void>> {
  const undo = await page.locator(`[data-checked="${index}"]`).evaluateHandle((element, marks) => {
    const parts = element.matches(marks) ? [element] : [element, ...element.querySelectorAll('*')]
    const before = parts.map((part) => {
      const attributes = [...part.attributes].map(({ name, value }) => [name, value] as const)
      return { part, attributes, isChecked: part instanceof HTMLInputElement && part.checked }
    })
    if (element.matches(marks)) element.style.background = 'none'
    for (const part of element.matches(marks) ? [] : parts) {
      for (const name of ['aria-selected', 'aria-pressed', 'aria-checked'])
        if (part.hasAttribute(name)) part.setAttribute(name, 'false')
      if (part.hasAttribute('data-state')) part.setAttribute('data-state', 'unchecked')
      part.removeAttribute('aria-current')
      part.removeAttribute('data-highlighted')
      if (part instanceof HTMLInputElement) part.checked = false
    }
    return () => {
      for (const { part, attributes, isChecked } of before) {
        if (!attributes.some(([name]) => name === 'style')) part.removeAttribute('style')
        for (const [name, value] of attributes) part.setAttribute(name, value)
        if (part instanceof HTMLInputElement) part.checked = isChecked
      }
    }
  }, MARKS)
  return () => undo.evaluate((restore) => restore())
}

/** The states and marks that nobody sees in forced colours: the screen looks the same without them. */
async function hiddenStates(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  await nextFrames(page)
  const kinds = await markStates(page)
  // Chromium puts a plate in the colour of the page under every text that it adjusts.
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll('.bg-accent:not(:disabled)')]
      .filter((each) => each.textContent !== '' && getComputedStyle(each).forcedColorAdjust !== 'none')
      .map(({ className }) => `text on ${className}`),
  )
  const bare = await page.evaluate((grounds) => {
    const isBare = (element: Element) => {
      // Each tab and radio button has a border itself.
      if (element.matches('[role=tablist], [role=radiogroup]')) return false
      const { outlineStyle, borderTopWidth, backgroundColor } = getComputedStyle(element)
      return outlineStyle === 'none' && borderTopWidth === '0px' && backgroundColor !== 'rgba(0, 0, 0, 0)'
    }
    return [...document.querySelectorAll(grounds)].filter(isBare).map(({ className }) => `bare ${className}`)
  }, GROUNDS)
  hidden.push(...bare)
  for (const [index, kind] of kinds.entries()) {
    const box = await page.locator(`[data-checked="${index}"]`).boundingBox()
    if (box === null) throw new Error(`${kind} is gone`)
    const clip = {
      x: Math.max(0, box.x - 4),
      y: Math.max(0, box.y - 4),
      width: box.width + 8,
      height: box.height + 8,
    }
    const picture = () => page.screenshot({ clip, animations: 'disabled' })
    const before = await picture()
    const restore = await switchOff(page, index)
    if (before.equals(await picture())) hidden.push(kind)
    await restore()
  }
  await page.emulateMedia({ forcedColors: 'none' })
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('[data-checked]')) element.removeAttribute('data-checked')
  })
  return hidden
}

/** Checks a screen in light colours, dark ones and forced ones. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectAccessibleLight(page, what)
  expect.soft(await violations(page, 'dark'), `${what}, dark`).toEqual([])
  expect.soft(await hiddenStates(page), `${what}, forced colours`).toEqual([])
}

async function expectAccessibleLight(page: Page, what: string): Promise<void> {
  expect.soft(await violations(page, 'light'), `${what}, light`).toEqual([])
}

/** Checks a screen that is made of the same parts as others in light colours, and in `npm run test:long` in the others. */
async function expectAlike(page: Page, what: string): Promise<void> {
  await expectAccessibleLight(page, what)
  await longStep(`${what} in dark and forced colours`, () => expectAccessible(page, what))
}

/** Controls of the light table stay while one has the keyboard focus: without it they may fade between two pictures. */
async function keepControls(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: lightTable.details }).press('Tab')
}

/** How many animations and transitions have started in the page, and the longest of them in milliseconds. */
interface Motion {
  animations: number
  transitions: number
  longest: number
}

/** Records animations and transitions. Call it before the page is opened. */
async function watchMotion(page: Page): Promise<{ take: () => Promise<Motion> }> {
  await page.addInitScript(() => {
    const motion = { animations: 0, transitions: 0, longest: 0 }
    Object.assign(window, { motion })
    const note = () => {
      for (const { effect, timeline } of document.getAnimations()) {
        // Scroll-driven animations have no duration.
        if (timeline !== document.timeline) continue
        motion.longest = Math.max(motion.longest, Number(effect?.getComputedTiming().endTime ?? 0))
      }
    }
    document.addEventListener('animationstart', () => {
      motion.animations += 1
      note()
    })
    document.addEventListener('transitionrun', () => {
      motion.transitions += 1
      note()
    })
  })
  return {
    take: () =>
      page.evaluate(() => {
        const { motion } = window as unknown as { motion: Motion }
        const taken = { ...motion }
        Object.assign(motion, { animations: 0, transitions: 0, longest: 0 })
        return taken
      }),
  }
}

/** A friend of the member, with a post, a comment, a story and a conversation that the screens can show. */
async function makeFriend(member: Member, newMember: () => Promise<Member>) {
  const friend = await newMember()
  const [own = '', ...theirs] = [
    ...(await insertPosts(member, 1, { thumbnailBytes: 900, content: () => `Fog with @${friend.username}` })),
    ...(await insertPosts(friend, 2, { content: () => 'Up on the hill #hill' })),
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
  const stranger = await newMember()
  const request = await startRequest(stranger, member)
  await write(stranger, request, 'Hello from outside')
  return { friend, own, theirs, story, conversation, request }
}

/** Opens the feed with axe-core in it, checks that a menu moves, and then asks for reduced motion. */
async function openReduced(page: Page): Promise<{ expectStill: (isLogin?: boolean) => Promise<void> }> {
  const motion = await watchMotion(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const accountMenu = await openAccountMenu(page)
  await expect(accountMenu).toBeVisible()
  await expect.poll(async () => (await motion.take()).longest).toBeGreaterThan(100)
  await page.keyboard.press('Escape')
  await expect(accountMenu).toHaveCount(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await nextFrames(page)
  await motion.take()
  return {
    // Sign-out loads the page anew, and with it what was counted. /login may have nothing that moves.
    expectStill: async (isLogin = false) => {
      const { animations, transitions, longest } = await motion.take()
      if (!isLogin) expect(animations).toBeGreaterThan(0)
      expect(transitions).toBe(0)
      expect(longest, 'the longest animation, in ms').toBeLessThan(1)
    },
  }
}

test('ACC-01 every screen is free of accessibility violations, light and dark, shows its states in forced colours, and does not animate under reduced motion', {
  tag: '@steps',
}, async ({ page, member, newMember }) => {
  const { friend, own, story, conversation, request } = await makeFriend(member, () =>
    newMember({ fullName: 'Ines Duarte' }),
  )
  const { expectStill } = await openReduced(page)

  const card = page.locator(`[data-post="${own}"]`)
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(card.getByText('That light!')).toBeVisible()
  await expectAccessible(page, 'feed with comments')
  await visit(page, `/?post=${own}`)
  await expect(
    page.getByRole('dialog', { name: `Post by ${member.username}` }).getByText('That light!'),
  ).toBeVisible()
  await keepControls(page)
  await expectAccessible(page, 'post')
  await longStep('photos, profiles, stories and searches', async () => {
    const several = await insertPhotoPost(friend, [{ size: [60, 40], altText: 'A pier' }, { size: [40, 60] }])
    await visit(page, `/profile/${friend.username}?post=${several}`)
    await expect(page.getByRole('dialog').getByRole('button', { name: texts.post.nextPhoto })).toBeVisible()
    await keepControls(page)
    await expectAlike(page, 'post with several photos')
    const tall = await insertPhotoPost(friend, [{ size: [300, 1_200], altText: 'A tower' }])
    await visit(page, `/?post=${tall}`)
    await expect(page.getByRole('img', { name: 'A tower' })).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: texts.post.zoom }).click()
    await expect(page.getByRole('status').filter({ hasText: '%' })).toBeVisible()
    await keepControls(page)
    await expectAlike(page, 'photo at full size')
    await visit(page, `/profile/${friend.username}`)
    await expect(page.getByRole('button', { name: texts.stories.ofMember(friend.username) })).toBeVisible()
    await expect(page.getByRole('link', { name: texts.post.photos(2) })).toBeVisible()
    await expectAlike(page, 'profile with stories')
    await visit(page, `/?story=${story}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(viewer(page, friend.username).getByText('Low tide')).toBeVisible()
    await expectAccessible(page, 'story')

    await visit(page, '/?explore')
    await expect(page.getByRole('region', { name: 'Popular hashtags' })).toBeVisible()
    await expectAlike(page, 'explore')
    await visit(page, '/?tag=hill')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    await page.getByRole('combobox', { name: 'Search' }).fill('hill')
    await expect(page.getByRole('group', { name: 'Hashtags' })).toBeVisible()
    await expectAlike(page, 'hashtag and search')
    await visit(page, '/?q=hill')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    await expectAlike(page, 'search results')
  })

  await visit(page, '/create')
  await page.getByPlaceholder("What's on your mind?").fill('x'.repeat(2_201))
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAlike(page, 'create')
  await longStep('photos and suggestions of a new post', async () => {
    await page.getByPlaceholder("What's on your mind?").fill(`@${friend.username}`)
    await expect(page.getByRole('option')).toHaveCount(1)
    await expectAlike(page, 'suggested members')
    await page.getByPlaceholder("What's on your mind?").fill('')
    await chooseFiles(
      page.getByRole('button', { name: /^Choose (photos|a photo)$/ }),
      photoPath('orientation-1.jpg'),
    )
    await expect(page.getByRole('img', { name: 'Your photo, as it will be posted' })).toBeVisible()
    const details = page.getByText('Camera details', { exact: true })
    await details.click()
    await expectAlike(page, 'create with a photo')
    await page.getByRole('button', { name: 'Edit photo' }).click()
    await expect(page.getByRole('img', { name: 'Photo with your changes' })).toBeVisible()
    await expectAccessible(page, 'photo editor')
    await page.keyboard.press('Escape')
  })
  await visit(page, `/messages?c=${conversation}`)
  await expect(message(page, 'From four on')).toBeVisible()
  await expectAccessible(page, 'conversation')
  await longStep('pickers, requests and profiles', async () => {
    await page.getByRole('button', { name: 'Choose an emoji' }).click()
    await page.getByRole('combobox', { name: 'Search emojis' }).fill('camera')
    await expect(page.getByRole('option', { name: 'camera', exact: true })).toBeVisible()
    await expectAlike(page, 'emoji picker')
    await page.getByRole('button', { name: 'Skin tone: no skin tone' }).click()
    await expect(page.getByRole('radio', { name: 'No skin tone' })).toBeFocused()
    await expectAlike(page, 'skin tones')
    await page.keyboard.press('Escape')
    await visit(page, `/messages?requests&c=${request}`)
    await expect(page.getByRole('region', { name: 'Message request' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible()
    await expectAlike(page, 'message request')
    await visit(page, `/profile/${member.username}`)
    await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(1)
    await expectAlike(page, 'profile')
    await visit(page, '/edit-profile')
    await expect(page.getByLabel('Username')).toBeVisible()
    await expectAlike(page, 'edit profile')
  })
  await visit(page, '/settings')
  await expect(page.getByText('You have blocked nobody.')).toBeVisible()
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible()
  await expectAccessible(page, 'settings')

  await signOut(page)
  const asking = page.getByRole('alertdialog', { name: 'Sign out?' })
  await expect(asking).toBeVisible()
  await expectAlike(page, 'sign out')
  await expectStill()
  await asking.getByRole('button', { name: 'Delete and sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page, 'login')
  await longStep('sign-up', async () => {
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByLabel('Full name')).toBeFocused()
    await expectAlike(page, 'signup')
  })
  await expectStill(true)
})

test('ACC-01 every menu and dialog is free of accessibility violations, light and dark, shows its states in forced colours, and does not animate under reduced motion', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const { friend, own, theirs, conversation } = await makeFriend(member, () =>
    newMember({ fullName: 'Ines Duarte' }),
  )
  const { expectStill } = await openReduced(page)

  const accountMenu = await openAccountMenu(page)
  await expect(accountMenu).toBeVisible()
  await expectAccessible(page, 'account menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog').getByText('liked your post')).toBeVisible()
  await expectAccessible(page, 'notifications')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Search' }).fill(friend.username)
  await expect(page.getByRole('option')).toHaveCount(2)
  await expectAccessible(page, 'search')
  await page.keyboard.press('Escape')

  await visit(page, `/?post=${own}`)
  const opened = page.getByRole('dialog', { name: `Post by ${member.username}` })
  await opened.getByRole('button', { name: 'Share' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share post' })
  await expect(sharing.getByRole('checkbox')).toHaveCount(1)
  await expectAccessible(page, 'share')
  await page.keyboard.press('Escape')
  await expect(sharing).toHaveCount(0)
  await opened.getByRole('button', { name: 'Post options' }).click()
  await page.getByRole('menuitem', { name: 'Edit post' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit post' })
  await expect(editing).toBeVisible()
  await expectAccessible(page, 'edit post')
  await editing.getByRole('button', { name: 'Choose an emoji' }).click()
  await expect(page.getByRole('combobox', { name: 'Search emojis' })).toBeFocused()
  await expectAccessible(page, 'emoji picker over a dialog')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(editing).toHaveCount(0)

  await visit(page, `/?post=${theirs[0]}`)
  await page
    .getByRole('dialog', { name: `Post by ${friend.username}` })
    .getByRole('button', { name: 'Post options' })
    .click()
  await page.getByRole('menuitem', { name: 'Report post' }).click()
  const reporting = page.getByRole('dialog', { name: 'Report this post' })
  await expect(reporting).toBeVisible()
  await expectAccessible(page, 'report')
  await page.keyboard.press('Escape')
  await expect(reporting).toHaveCount(0)

  await visit(page, '/?story=new')
  await expect(page.getByRole('dialog', { name: 'Add story' })).toBeVisible()
  await expectAccessible(page, 'new story')

  await visit(page, `/messages?c=${conversation}`)
  await message(page, 'Is the darkroom free?').getByRole('button', { name: 'Message options' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page, 'message options')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Search in conversation' }).click()
  await page.getByRole('dialog').getByRole('searchbox').fill('darkroom')
  await expect(page.getByRole('dialog').locator('mark')).toHaveText('darkroom')
  await expectAccessible(page, 'search in conversation')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await visit(page, `/profile/${member.username}?people=followers`)
  await expect(page.getByRole('dialog').getByText('Ines Duarte')).toBeVisible()
  await expectAccessible(page, 'followers')
  await page.keyboard.press('Escape')
  await visit(page, '/profile/nobody.at.all')
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
  await expectAccessible(page, 'nobody')

  await visit(page, '/settings')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('New password').waitFor()
  await expectAccessible(page, 'change password')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await page.getByLabel('New e-mail').waitFor()
  await expectAccessible(page, 'change e-mail')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectAccessible(page, 'confirmation')
  await page.keyboard.press('Escape')
  await expectStill()

  await signOut(page)
  await page.getByRole('button', { name: 'Connect to a server…' }).click()
  await expect(page.getByRole('dialog', { name: 'Connect to a server' })).toBeVisible()
  await expectAccessible(page, 'connect')
  await expectStill()
})
