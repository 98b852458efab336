import { expect, test, vi } from 'vitest'
import { keepKeysOfInputMethods } from '#/renderer/app/input-method'

test.each([
  { key: 'Enter', isComposing: true, keyCode: 13, isKept: true },
  { key: 'Escape', isComposing: true, keyCode: 229, isKept: true },
  { key: 'Process', isComposing: false, keyCode: 229, isKept: true },
  { key: 'Enter', isComposing: false, keyCode: 229, isKept: true },
  { key: 'Enter', isComposing: false, keyCode: 13, isKept: false },
])('ACC-02 only keys of an input method are kept from handlers: $key, $isComposing, $keyCode', (press) => {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  keepKeysOfInputMethods()
  vi.unstubAllGlobals()
  const event = Object.assign(new Event('keydown', { cancelable: true }), press)
  const stop = vi.spyOn(event, 'stopPropagation')
  window.dispatchEvent(event)
  expect(stop).toHaveBeenCalledTimes(press.isKept ? 1 : 0)
  // Chromium empties a search field at Escape.
  expect(event.defaultPrevented).toBe(press.key === 'Escape')
})
