import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// As tests/wait-for-timeout.ts does for vi.waitFor.
configure({ asyncUtilTimeout: 30_000 })

// As if the main thread were always busy: tests start work that waits for an idle moment themselves.
Object.assign(globalThis, { requestIdleCallback: () => 0, cancelIdleCallback: () => undefined })

// There is no server: connections never open, and requests that a test does not answer stay pending.
class SilentSocket extends EventTarget {
  readonly readyState = 0
  send(): void {}
  close(): void {}
}

const fetch = () => new Promise(() => undefined)
Object.assign(globalThis, { WebSocket: SilentSocket, Worker: class {}, fetch })

// happy-dom has the property without locks: its page is the only window.
Reflect.deleteProperty(Object.getPrototypeOf(navigator), 'locks')

/** Inserts a text into the field with the focus. Not through its own `value`, of which React would take the change for its own. */
function execCommand(_command: string, _hasUi: boolean, text: string): boolean {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return false
  const { selectionStart, selectionEnd, value } = field
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Reflect.set(prototype, 'value', value.slice(0, start) + text + value.slice(end), field)
  field.setSelectionRange(start + text.length, start + text.length)
  return field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

Object.assign(document, { execCommand, exitFullscreen: async () => undefined })

// The observers of earlier files of this worker, each with its own modules, watch the title in the previous head: two that know
// different counts of unread notifications would set it again and again.
document.head.replaceWith(document.createElement('head'))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
})
