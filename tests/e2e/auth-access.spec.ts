import { expireSession, navigation } from './support/auth-forms'
import { holdRequests } from './support/network'
import { expect, test } from './support/test'
import { visit } from './support/visit'

const GUARDED = ['/', '/create', '/profile/x', '/edit-profile', '/settings', '/messages']

test('AUTH-01 signed out, every guarded route redirects to /login and Back does not return to it', async ({
  page,
}) => {
  await page.goto('/signup')
  const signUp = page.getByRole('button', { name: 'Sign up' })
  const signIn = page.getByRole('button', { name: 'Sign in' })
  await expect(signUp).toBeVisible()
  for (const route of GUARDED) {
    await visit(page, route)
    await expect(page, route).toHaveURL('/login')
    await expect(signIn).toBeVisible()

    await page.goBack()
    await expect(page, route).toHaveURL('/signup')
    await expect(signUp).toBeVisible()
    await page.goForward()
    await expect(page, route).toHaveURL('/login')
    await expect(signIn).toBeVisible()
    await page.goBack()
    await expect(signUp).toBeVisible()
  }

  await page.goto('/settings')
  await expect(page).toHaveURL('/login')
  await expect(signIn).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/signup')
})

test('AUTH-01 signed out, every address of a guarded route opens /login', { tag: '@long' }, async ({
  context,
}) => {
  for (const route of GUARDED) {
    // A separate window for each route, because the test goes back in its history.
    const page = await context.newPage()
    await page.goto('/signup')
    await expect(page.getByRole('button', { name: 'Sign up' })).toBeVisible()
    await page.goto(route)
    await expect(page, route).toHaveURL('/login')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

    await page.goBack()
    await expect(page, route).toHaveURL('/signup')
    await page.goForward()
    await expect(page, route).toHaveURL('/login')
    await page.close()
  }
})

test('AUTH-02 shows a spinner until the first session check ends', async ({ newMember, openAs }) => {
  const member = await newMember()
  for (const route of ['/', '/settings']) {
    // A device without cached content of the member.
    const page = await openAs(member)
    const paths = new Set<string>()
    page.on('framenavigated', (frame) => paths.add(new URL(frame.url()).pathname))
    // Record all elements that are rendered, even for a moment.
    await page.addInitScript(() => {
      const drawn = new Set<string>()
      new MutationObserver(() => {
        for (const element of document.querySelectorAll('nav, main, form, h1')) {
          drawn.add(element.tagName.toLowerCase())
        }
        document.documentElement.dataset.drawn = [...drawn].join(' ')
      }).observe(document, { childList: true, subtree: true })
    })
    const check = await holdRequests(page, /\/rest\/v1\/profiles\?/, { method: 'GET' })
    await page.goto(route)
    await check.arrived
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.dataset.drawn ?? '')).toBe('')

    await check.release()
    await expect(navigation(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Account menu' })).toContainText(
      member.username.charAt(0).toUpperCase(),
    )
    expect([...paths]).toEqual([route])
    // The observer works: it has recorded the navigation bar.
    expect(await page.evaluate(() => document.documentElement.dataset.drawn)).toContain('nav')
  }
})

test('AUTH-02 shows a spinner while a session is refreshed at start', { tag: '@long' }, async ({
  newMember,
  openAs,
}) => {
  const page = await openAs(await newMember())
  // Expire the session on a page without the app, which would refresh it at once and cache its content.
  await page.goto('/favicon.svg')
  await expireSession(page)
  const refresh = await holdRequests(page, /\/auth\/v1\/token\?grant_type=refresh_token/)

  await page.goto('/settings')
  await refresh.arrived
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(navigation(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toHaveCount(0)
  await expect(page).toHaveURL('/settings')

  await refresh.release()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('AUTH-03 AUTH-04 AUTH-05 routes and the navigation bar depend on whether a member is signed in', async ({
  openAs,
  newMember,
}) => {
  await test.step('signed out, unknown paths open /login, and no page has the navigation bar', async () => {
    const visitor = await openAs(null)
    await visitor.goto('/nowhere')
    await expect(visitor).toHaveURL('/login')
    await expect(visitor.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect(visitor.getByRole('navigation')).toHaveCount(0)
    await visitor.getByRole('link', { name: 'Create an account' }).click()
    await expect(visitor.getByRole('button', { name: 'Sign up' })).toBeVisible()
    await expect(visitor.getByRole('navigation')).toHaveCount(0)
  })

  const member = await newMember()
  const page = await openAs(member)
  await test.step('signed in, /login, /signup and unknown paths open the feed', async () => {
    const isOnFeed = async (path: string) => {
      await expect(page, path).toHaveURL('/')
      await expect(navigation(page)).toBeVisible()
      await expect(page.getByLabel('Password', { exact: true }), path).toHaveCount(0)
    }
    for (const path of ['/login', '/%E2%98%83']) {
      await page.goto(path)
      await isOnFeed(path)
    }
    for (const path of ['/signup', '/nowhere', '/profile', '/login/again']) {
      // From another screen: the feed must replace it.
      await visit(page, '/settings')
      await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
      await visit(page, path)
      await isOnFeed(path)
    }
  })

  await test.step('signed in, every screen has the navigation bar', async () => {
    for (const route of [
      '/create',
      `/profile/${member.username}`,
      '/edit-profile',
      '/settings',
      '/messages',
      '/',
    ]) {
      await visit(page, route)
      await expect(page.getByRole('main'), route).toBeVisible()
      await expect(navigation(page), route).toBeVisible()
      await expect(page, route).toHaveURL(route)
    }
  })
})
