import { randomBytes } from 'node:crypto'
import { navigation, openAccountMenu } from './support/auth-forms'
import { longStep } from './support/long-step'
import { holdRequests } from './support/network'
import { expect, test } from './support/test'
import { visit } from './support/visit'

test('NAV-01 NAV-03 the header links to every screen, fits every window, works by keyboard and finds members', {
  tag: '@steps',
}, async ({ newMember, openAs }) => {
  const member = await newMember()
  const page = await openAs(member)
  await page.goto('/')
  await test.step('every control is reachable by keyboard', async () => {
    await expect(navigation(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    const names = [
      'Vignette',
      'Search',
      'Home',
      'Explore',
      'Messages',
      'Notifications',
      'Create post',
      'Saved',
      'Profile',
      'Account menu',
    ]
    for (const name of names) {
      await page.keyboard.press('Tab')
      await expect(
        navigation(page)
          .getByRole('link', { name, exact: true })
          .or(navigation(page).getByRole('combobox', { name, exact: true }))
          .or(navigation(page).getByRole('button', { name, exact: true })),
      ).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/profile\//)
  })

  await test.step('the header links to every screen', async () => {
    const header = navigation(page)
    await expect(header.getByRole('combobox', { name: 'Search' })).toBeVisible()
    await expect(header.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()

    const places = [
      ['Messages', '/messages'],
      ['Create post', '/create'],
      ['Home', '/'],
    ] as const
    for (const [name, path] of places) {
      await header.getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    }

    const menu = await openAccountMenu(page)
    await expect(menu.getByRole('menuitem')).toHaveText(['Profile', 'Settings', 'Sign Out'])
    await expect(menu).toContainText(member.fullName)
    await menu.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page).toHaveURL(`/profile/${member.username}`)
    await (await openAccountMenu(page)).getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL('/settings')
    await header.getByRole('link', { name: 'Vignette', exact: true }).click()
    await expect(page).toHaveURL('/')
  })

  await longStep('the header fits a narrow and a wide window', async () => {
    await visit(page, '/messages')
    for (const width of [360, 1263]) {
      await page.setViewportSize({ width, height: 740 })
      const header = navigation(page)
      const controls = [
        header.getByRole('link', { name: 'Vignette', exact: true }),
        header.getByRole('combobox', { name: 'Search' }),
        header.getByRole('link', { name: 'Home', exact: true }),
        header.getByRole('link', { name: 'Messages', exact: true }),
        header.getByRole('link', { name: 'Create post', exact: true }),
        header.getByRole('button', { name: 'Notifications' }),
        header.getByRole('button', { name: 'Account menu' }),
      ]
      let end = 0
      for (const control of controls) {
        await expect(control).toBeInViewport({ ratio: 1 })
        const box = await control.boundingBox()
        if (box === null) throw new Error('not drawn')
        // The controls are in reading order, do not overlap, and are at least 24 px large.
        expect(box.x).toBeGreaterThanOrEqual(end)
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24)
        end = box.x + box.width
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await header.getByRole('combobox', { name: 'Search' }).fill('somebody')
      await expect(header.getByRole('combobox', { name: 'Search' })).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('listbox')).toBeInViewport({ ratio: 1 })
      // One Escape closes the list, the next one the box, which covers the icons in narrow windows.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await openAccountMenu(page)
      await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
    }
  })

  await test.step('NAV-03 the search box offers up to ten members by username or full name', async () => {
    const tag = `q${randomBytes(3).toString('hex')}`
    await newMember({ fullName: `Ursula ${tag} Le Guin` })
    await Promise.all(Array.from({ length: 10 }, (_, index) => newMember({ username: `${tag}.${index}` })))
    const box = page.getByRole('combobox', { name: 'Search' })
    const options = page
      .getByRole('listbox', { name: 'Search' })
      .getByRole('option')
      .filter({ hasNotText: 'All results' })

    await box.fill(tag)
    await expect(options).toHaveCount(10)
    await expect(box).toHaveAttribute('aria-expanded', 'true')
    await box.fill(`${tag.toUpperCase()}.7`)
    await expect(options).toHaveCount(1)
    await expect(options).toContainText(`${tag}.7`)
    await box.fill(`${tag} le g`)
    await expect(options).toHaveCount(1)
    await expect(options).toContainText(`Ursula ${tag} Le Guin`)
    await box.fill(`${tag}%`)
    await expect(page.getByText('No people, hashtags or places')).toBeVisible()
    await box.fill(member.username)
    await expect(page.getByText('No people, hashtags or places')).toBeVisible()
  })
})

test('NAV-03 the search box keeps the focus that it gets while a popup closes', {
  tag: '@long',
}, async ({ page, member }) => {
  await page.goto('/')
  for (const name of [/^Notifications/, 'Account menu']) {
    await page.getByRole('button', { name }).click()
    const popup = page.locator('[data-radix-popper-content-wrapper]')
    await expect(popup.locator(':focus')).toBeAttached()
    // Wait for the end of its animation before closing it.
    await popup.evaluate((element) => {
      // Ignore spinners, whose animation never ends.
      const appearing = element.firstElementChild?.getAnimations() ?? []
      return Promise.allSettled(appearing.map(({ finished }) => finished))
    })
    // Faster than a keyboard: the popup notifies its button only after both keys.
    await page.evaluate(async () => {
      for (const key of ['Escape', '/']) {
        const target = document.activeElement ?? document.body
        target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        await Promise.resolve()
      }
    })
    await page.keyboard.type(member.username)
    await expect(page.getByText('No people, hashtags or places')).toBeVisible()
    await page.getByRole('combobox', { name: 'Search' }).fill('')
  }
})

test('NAV-03 choosing a member opens their profile, by mouse or keyboard; Escape closes', {
  tag: '@long',
}, async ({ newMember, openAs }) => {
  const tag = `q${randomBytes(3).toString('hex')}`
  const members = [`${tag}.a`, `${tag}.b`]
  await Promise.all(members.map((username) => newMember({ username })))
  const page = await openAs(await newMember())
  await page.goto('/')
  const box = page.getByRole('combobox', { name: 'Search' })
  const list = page.getByRole('listbox', { name: 'Search' })

  await expect(box).toBeVisible()
  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await box.fill(tag)
  await expect(list.getByRole('option')).toHaveText([/\.a/, /\.b/, 'All results'])
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(box).toHaveAttribute('aria-expanded', 'false')
  await expect(box).toHaveValue(tag)

  await box.fill(`${tag}.`)
  const second = list.getByRole('option').nth(1)
  await expect(second).toBeVisible()
  await expect(list.getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(second).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute('aria-activedescendant', (await second.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/profile/${tag}.b`)
  await expect(page.getByRole('heading', { name: `${tag}.b` })).toBeVisible()
  await expect(box).toHaveValue('')
  await expect(list).toBeHidden()

  await box.fill(tag)
  await list.getByRole('option', { name: `${tag}.a` }).click()
  await expect(page).toHaveURL(`/profile/${tag}.a`)
  await box.fill(tag)
  await expect(list).toBeVisible()
  await box.fill('   ')
  await expect(list).toBeHidden()
})

test('NAV-03 FEED-22 Enter searches for the current text, whatever the list still shows', {
  tag: '@long',
}, async ({ newMember, openAs }) => {
  const tag = `q${randomBytes(3).toString('hex')}`
  await Promise.all([newMember({ username: `${tag}.a` }), newMember({ username: `${tag}.b` })])
  const page = await openAs(await newMember())
  await page.goto('/')
  const box = page.getByRole('combobox', { name: 'Search' })
  await box.fill(`${tag}.a`)
  await expect(page.getByRole('option').first()).toHaveText(new RegExp(`${tag}\\.a`))
  const search = await holdRequests(page, /\/rpc\/search_profiles/)
  await box.fill(`${tag}.b`)
  await search.arrived
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/?q=${tag}.b`)
  await search.release()
  const people = page.getByRole('main').getByRole('region', { name: 'People' })
  await expect(people.getByRole('link')).toHaveText([new RegExp(`${tag}\\.b`)])
})
