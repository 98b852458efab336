import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ShortcutsDialog } from '#/renderer/app/ShortcutsDialog'
import { ConnectionBanner } from '#/renderer/components/ConnectionBanner'
import { ErrorBoundary } from '#/renderer/components/ErrorBoundary'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live/connection'
import { renewalAnswered, renewalUnanswered } from '#/renderer/lib/server/session/session-renewal-store'
import { texts } from '#/renderer/lib/texts'
import { pageText, press, show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/live', async () => ({
  ...(await import('#/renderer/lib/live/connection')),
  retryNow: () => undefined,
}))

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('the shortcuts dialog lists every shortcut with its keys', () => {
  show(<ShortcutsDialog onClose={() => undefined} />)
  expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined()
  const page = pageText().replaceAll(' ', '')
  for (const [keys, what] of texts.shortcuts.list)
    expect(page).toContain(`${keys}${what}`.replaceAll(' ', ''))
})

const broken = { error: null as Error | null }

function Screen() {
  if (broken.error !== null) throw broken.error
  return 'The screen'
}

function showBroken(error: Error): void {
  // React reports what an error boundary catches.
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  broken.error = error
  show(
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>,
  )
}

test('a screen that throws is logged, is replaced by an error message and can be retried', async () => {
  const cause = new TypeError('x is undefined')
  showBroken(cause)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['render', cause]])
  expect(pageText()).toContain('This page could not be shown')
  expect(pageText()).toContain('The rest of Vignette still works. Nothing you posted is lost.')
  broken.error = null
  await press(texts.tryAgain)
  expect(pageText()).toBe('The screen')
})

test('a screen whose code could not be loaded reloads the page', async () => {
  showBroken(new TypeError('Failed to fetch dynamically imported module: /feed.js'))
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  await press(texts.tryAgain)
  expect(reload).toHaveBeenCalled()
})

test('a popup whose code cannot be loaded is logged, and loaded by the next press', async () => {
  const cause = new TypeError('Failed to fetch')
  const load = vi.fn(async () => 'The menu').mockRejectedValueOnce(cause)
  const trigger = (props: object) => (
    <button type="button" {...props}>
      Options
    </button>
  )
  show(
    <LazyPopup kind="menu" trigger={trigger} load={load}>
      {(module) => module}
    </LazyPopup>,
  )
  act(() => screen.getByRole('button').focus())
  await vi.waitFor(() => expect(vi.mocked(logFailure).mock.calls).toEqual([['load popup', cause]]))
  expect(pageText()).toBe('Options')
  await press('Options')
  await vi.waitFor(() => expect(pageText()).toBe('The menu'))
  expect(load).toHaveBeenCalledTimes(2)
})

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('MSG-09 the banner shows a lost connection after two seconds, the next attempt, and the return', () => {
  vi.useFakeTimers()
  connection.setState({ state: 'lost', retryAt: Date.now() + 10_000 })
  show(<ConnectionBanner canRead onSignOut={() => undefined} />)
  expect(pageText()).toBe('')
  pass(1_999)
  expect(pageText()).toBe('')
  pass(1)
  expect(pageText()).toContain('Connection lost. Trying again in 8 s')
  pass(1_000)
  expect(pageText()).toContain('Connection lost. Trying again in 7 s')
  act(() => connection.setState({ state: 'lost', retryAt: null }))
  expect(pageText()).toContain('Connection lost. Trying again…')
  act(() => connection.setState({ state: 'online', retryAt: null }))
  expect(pageText()).toBe('Connected again.')
})

test('MSG-09 an interruption of less than two seconds is not reported', () => {
  vi.useFakeTimers()
  connection.setState({ state: 'lost', retryAt: null })
  show(<ConnectionBanner canRead onSignOut={() => undefined} />)
  pass(1_999)
  act(() => connection.setState({ state: 'online', retryAt: null }))
  pass(10_000)
  expect(pageText()).toBe('')
})

test('ACC-05 the banner offers Sign Out once the session could not be refreshed for a minute', () => {
  vi.useFakeTimers()
  const signOut = vi.fn()
  connection.setState({ state: 'lost', retryAt: null })
  show(<ConnectionBanner canRead onSignOut={signOut} />)
  act(() => renewalUnanswered())
  pass(59_000)
  act(() => renewalUnanswered())
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull()
  pass(1_000)
  act(() => screen.getByRole('button', { name: 'Sign Out' }).click())
  expect(signOut).toHaveBeenCalledTimes(1)
  act(() => renewalAnswered())
  expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull()
})
