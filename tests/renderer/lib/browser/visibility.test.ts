import { expect, test, vi } from 'vitest'
import type { WindowState } from '#/shared/bridge'

/** A host's window, controlled by the test. */
function fakeWindow(first: Promise<WindowState>) {
  const listeners = new Set<(state: WindowState) => void>()
  return {
    state: () => first,
    onChange: (listener: (state: WindowState) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become: (isVisible: boolean, isFocused: boolean) => {
      for (const listener of listeners) listener({ isVisible, isFocused })
    },
  }
}

async function fresh() {
  vi.resetModules()
  return import('#/renderer/lib/browser/visibility')
}

test('the member looks at a window that is visible and focused', async () => {
  const { trackWindow, isLooking, isVisible } = await fresh()
  const host = fakeWindow(Promise.resolve({ isVisible: true, isFocused: true }))
  trackWindow(host)
  const seen = (visible: boolean, focused: boolean) => {
    host.become(visible, focused)
    return [isVisible(), isLooking()]
  }
  expect([isVisible(), isLooking()]).toEqual([true, true])
  expect(seen(true, false)).toEqual([true, false])
  expect(seen(false, false)).toEqual([false, false])
  // Some systems leave the focus with a minimised window.
  expect(seen(false, true)).toEqual([false, false])
  expect(seen(true, true)).toEqual([true, true])
})

test('an app that starts in the tray is not visible, and listeners are called once', async () => {
  const { trackWindow, isVisible, onVisibility } = await fresh()
  const listener = vi.fn()
  onVisibility(listener)
  trackWindow(fakeWindow(Promise.resolve({ isVisible: false, isFocused: false })))
  await vi.waitFor(() => expect(isVisible()).toBe(false))
  expect(listener).toHaveBeenCalledTimes(1)
})

test('a change during the first request overrides its response', async () => {
  const { trackWindow, isVisible } = await fresh()
  let resolve: (state: WindowState) => void = () => undefined
  const promise = new Promise<WindowState>((settle) => {
    resolve = settle
  })
  const host = fakeWindow(promise)
  trackWindow(host)
  host.become(false, false)
  resolve({ isVisible: true, isFocused: true })
  await promise
  await Promise.resolve()
  expect(isVisible()).toBe(false)
})

test('a failed first request is logged; later changes count', async () => {
  const { trackWindow, isVisible } = await fresh()
  const { logFailure } = await import('#/renderer/lib/core/logger')
  const cause = new Error('refused')
  const host = fakeWindow(Promise.reject(cause))
  trackWindow(host)
  await vi.waitFor(() => expect(vi.mocked(logFailure).mock.calls).toEqual([['read window state', cause]]))
  expect(isVisible()).toBe(true)
  host.become(false, false)
  expect(isVisible()).toBe(false)
})

test('listeners are called for changes only, until they unsubscribe', async () => {
  const { trackWindow, onVisibility } = await fresh()
  const host = fakeWindow(Promise.resolve({ isVisible: true, isFocused: true }))
  trackWindow(host)
  const listener = vi.fn()
  const leave = onVisibility(listener)
  host.become(true, true)
  host.become(false, false)
  host.become(false, false)
  expect(listener).toHaveBeenCalledTimes(1)
  leave()
  host.become(true, true)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('queries refetch by themselves only while the window is visible', async () => {
  const { trackWindow } = await fresh()
  // Import it again, because the modules were reset for this test.
  const { focusManager: focus } = await import('@tanstack/react-query')
  const host = fakeWindow(Promise.resolve({ isVisible: true, isFocused: true }))
  trackWindow(host)
  host.become(false, false)
  expect(focus.isFocused()).toBe(false)
  host.become(true, false)
  expect(focus.isFocused()).toBe(true)
})
