import { navigation, openAccountMenu } from './support/auth-forms'
import { longStep } from './support/long-step'
import { expect, test } from './support/test'
import { visit } from './support/visit'

test('NAV-01 the header links to every screen, fits every window and works by keyboard', {
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
