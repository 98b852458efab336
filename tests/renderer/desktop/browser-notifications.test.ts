import { expect, test, vi } from 'vitest'
import { createBrowserNotifications } from '#/renderer/features/desktop/browser-notifications'

test('DESK-10 a browser shows, lists and closes notifications by id', () => {
  const closed: string[] = []
  class BrowserNotification extends EventTarget {
    static permission = 'granted'
    constructor(
      readonly title: string,
      readonly options: { tag: string; icon?: string },
    ) {
      super()
    }
    close(): void {
      closed.push(this.options.tag)
    }
  }
  vi.stubGlobal('Notification', BrowserNotification)
  vi.stubGlobal('window', { Notification: BrowserNotification })
  const { show, shown, close } = createBrowserNotifications()
  for (const id of ['a', 'b', 'c'])
    show({ kind: 'like', id, title: 'mara', body: '', route: '/' }, () => undefined)
  expect(shown()).toEqual(['a', 'b', 'c'])
  close(['a', 'unknown'])
  expect(closed).toEqual(['a'])
  close(null)
  expect(closed).toEqual(['a', 'b', 'c'])
  expect(shown()).toEqual([])
  vi.unstubAllGlobals()
})
