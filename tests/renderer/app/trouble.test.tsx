import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ShortcutsDialog } from '#/renderer/app/ShortcutsDialog'
import { ConnectionBanner } from '#/renderer/components/ConnectionBanner'
import { ErrorBoundary } from '#/renderer/components/ErrorBoundary'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live/connection'
import { renewalAnswered, renewalUnanswered } from '#/renderer/lib/server/session/session-renewal-store'
import { texts } from '#/renderer/lib/texts'
import { clearPage, draw, press, read } from '../page-without-dom'

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('zustand', async (load) => (await import('../page-without-dom')).withStores(await load()))
vi.mock('#/renderer/components/Dialog', async () => (await import('../page-without-dom')).dialogs)
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/live', async () => ({
  ...(await import('#/renderer/lib/live/connection')),
  retryNow: () => undefined,
}))

beforeEach(() => {
  clearPage()
  vi.mocked(logFailure).mockClear()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the shortcuts dialog lists every shortcut with its keys', () => {
  const page = read(<ShortcutsDialog onClose={() => undefined} />)
  expect(page).toContain('Keyboard shortcuts')
  for (const [keys, what] of texts.shortcuts.list)
    expect(page.replaceAll(' ', '')).toContain(`${keys}${what}`.replaceAll(' ', ''))
})

test('a screen that throws is logged, is replaced by an error message and can be retried', () => {
  const boundary = new ErrorBoundary({ children: 'The screen' })
  const cause = new TypeError('x is undefined')
  boundary.componentDidCatch(cause)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['render', cause]])
  boundary.state = ErrorBoundary.getDerivedStateFromError(cause)
  const reset = vi.spyOn(boundary, 'setState').mockImplementation(() => undefined)
  const page = read(boundary.render())
  expect(page).toContain('This page could not be shown')
  expect(page).toContain('The rest of Vignette still works. Nothing you posted is lost.')
  press(texts.tryAgain)
  expect(reset).toHaveBeenCalledWith({ error: null })
})

test('a screen whose code could not be loaded reloads the page', () => {
  const boundary = new ErrorBoundary({ children: 'The screen' })
  boundary.state = { error: new TypeError('Failed to fetch dynamically imported module: /feed.js') }
  const reload = vi.fn()
  vi.stubGlobal('window', { location: { reload } })
  draw(boundary.render())
  press(texts.tryAgain)
  expect(reload).toHaveBeenCalled()
})

test('a popup whose code cannot be loaded is logged, and loaded by the next press', async () => {
  const cause = new TypeError('Failed to fetch')
  const load = vi.fn(async (): Promise<string> => Promise.reject(cause))
  const trigger = (props: object): ReactElement => (
    <button type="button" {...props}>
      Options
    </button>
  )
  const popup = (
    <LazyPopup kind="menu" trigger={trigger} load={load}>
      {(module) => module}
    </LazyPopup>
  )
  draw(popup)
  press('Options')
  await vi.waitFor(() => expect(vi.mocked(logFailure).mock.calls).toEqual([['load popup', cause]]))
  expect(draw(popup)).toContain('Options')
  load.mockResolvedValueOnce('The menu')
  press('Options')
  await vi.waitFor(() => expect(draw(popup)).toBe('The menu'))
})

test('MSG-09 the banner shows a lost connection after two seconds, the next attempt, and the return', () => {
  vi.useFakeTimers()
  const banner = <ConnectionBanner onSignOut={() => undefined} />
  connection.setState({ state: 'lost', retryAt: Date.now() + 10_000 })
  expect(read(banner).trim()).toBe('')
  vi.advanceTimersByTime(2_000)
  expect(read(banner)).toContain('Connection lost. Trying again in 8 s')
  connection.setState({ state: 'lost', retryAt: null })
  expect(read(banner)).toContain('Connection lost. Trying again…')
  connection.setState({ state: 'online', retryAt: null })
  draw(banner)
  expect(read(banner)).toContain('Connected again.')
})

test('ACC-05 the banner offers Sign Out once the session could not be refreshed for a minute', () => {
  vi.useFakeTimers()
  const signOut = vi.fn()
  const banner = <ConnectionBanner onSignOut={signOut} />
  connection.setState({ state: 'lost', retryAt: null })
  draw(banner)
  renewalUnanswered()
  vi.advanceTimersByTime(59_000)
  renewalUnanswered()
  expect(read(banner)).not.toContain('Sign Out')
  vi.advanceTimersByTime(1_000)
  draw(banner)
  press('Sign Out')
  expect(signOut).toHaveBeenCalledTimes(1)
  renewalAnswered()
  expect(read(banner)).not.toContain('Sign Out')
})
