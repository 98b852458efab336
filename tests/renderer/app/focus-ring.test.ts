import { afterEach, expect, test, vi } from 'vitest'
import { trackPointerInput } from '#/renderer/app/focus-ring'

afterEach(() => vi.unstubAllGlobals())

test('the last input decides between pointer and keyboard', () => {
  const dataset: Record<string, string> = {}
  const window = new EventTarget()
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('window', window)
  trackPointerInput()
  expect(dataset).not.toHaveProperty('pointing')

  window.dispatchEvent(new Event('pointerdown'))
  expect(dataset).toHaveProperty('pointing')

  window.dispatchEvent(new Event('keydown'))
  expect(dataset).not.toHaveProperty('pointing')
})
