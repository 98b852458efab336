import { act, screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { pageText, settle } from '#tests/renderer/dom'
import { fakeServer, signIn, signOut } from '#tests/renderer/fake-server'
import { app, openApp } from './open-app'

const FIRST = ['/', '/settings']
/** For members: the sign-in, and paths that are no screens. */
const UNKNOWN = ['/login', '/signup', '/%E2%98%83', '/nowhere', '/profile', '/login/again']
const SCREENS = ['/create', '/profile/mara', '/edit-profile', '/settings', '/messages', '/']
const GUARDED = ['/', '/create', '/profile/x', '/edit-profile', '/settings', '/messages']

const navigation = () => screen.queryByRole('navigation', { name: 'Main' })

beforeEach(() => {
  fakeServer()
})

test.each(GUARDED)(
  'AUTH-01 signed out, %s redirects to /login, and Back does not return to it',
  async (route) => {
    signOut()
    openApp('/signup', route)
    expect(app.location.pathname).toBe('/login')
    await screen.findByRole('button', { name: 'Sign in' })
    await act(async () => app.go(-1))
    expect(app.location.pathname).toBe('/signup')
    await screen.findByRole('button', { name: 'Sign up' })
    await act(async () => app.go(1))
    expect(app.location.pathname).toBe('/login')
  },
)

/** The landmarks, forms and headings that are on the page, even for a moment, from now on. */
function recordDrawn(): Set<string> {
  const drawn = new Set<string>()
  const observer = new MutationObserver(() => {
    for (const { tagName } of document.querySelectorAll('nav, main, form, h1')) drawn.add(tagName)
  })
  observer.observe(document, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return drawn
}

test.each(FIRST)('AUTH-02 %s shows only a spinner until the first session check ends', async (route) => {
  useSessionStore.setState({ session: { status: 'loading' }, hold: null })
  const drawn = recordDrawn()
  openApp(route)
  await settle()
  await screen.findByRole('status', { name: 'Loading' })
  expect([...drawn]).toEqual([])
  act(() => signIn())
  expect(navigation()).not.toBeNull()
  expect(screen.getByRole('button', { name: 'Account menu' }).textContent).toContain('M')
  expect(new Set(app.paths)).toEqual(new Set([route]))
  // The observer works: it has recorded the navigation bar.
  await vi.waitFor(() => expect([...drawn]).toContain('NAV'))
})

test('AUTH-03 AUTH-04 signed out, unknown paths open /login, and no page has the navigation bar', async () => {
  signOut()
  openApp('/nowhere')
  expect(app.location.pathname).toBe('/login')
  await screen.findByRole('button', { name: 'Sign in' })
  expect(screen.queryByRole('navigation')).toBeNull()
  act(() => screen.getByRole('link', { name: 'Create an account' }).click())
  expect(app.location.pathname).toBe('/signup')
  await screen.findByRole('button', { name: 'Sign up' })
  expect(screen.queryByRole('navigation')).toBeNull()
})

test.each(UNKNOWN)('AUTH-03 AUTH-05 signed in, %s opens the feed, also from another screen', async (path) => {
  signIn()
  openApp(path)
  expect(app.location.pathname).toBe('/')
  expect(navigation()).not.toBeNull()
  openApp('/settings')
  await screen.findByRole('heading', { name: 'Settings' })
  await act(async () => app.go(path))
  expect(app.location.pathname).toBe('/')
  expect(navigation()).not.toBeNull()
  expect(screen.queryByRole('heading', { name: 'Settings' })).toBeNull()
  expect(pageText()).not.toContain('Password')
})

test.each(SCREENS)('AUTH-05 signed in, %s has the navigation bar', async (route) => {
  signIn()
  openApp(route)
  await screen.findAllByRole('main')
  expect(navigation()).not.toBeNull()
  expect(app.location.pathname).toBe(route)
})
