import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createRouteOpener, onPageLeft } from '#/main/launch/route-opener'

function createTestOpener() {
  const did: string[] = []
  let arrivals = 0
  const routes = createRouteOpener({
    show: () => did.push('show'),
    navigate: (path) => did.push(path),
    memberSignedIn: () => {
      arrivals += 1
    },
  })
  return { did, arrivals: () => arrivals, routes, listen: routes.handlers['navigation.listen'] }
}

describe('DESK-03 opening a route', () => {
  test('shows the window at the route at once if the page listens', () => {
    const { did, routes, listen } = createTestOpener()
    expect(listen(true)).toBeNull()
    routes.open({ page: 'profile', username: 'mara' })
    expect(did).toEqual(['show', '/profile/mara'])
    expect(listen(true)).toBeNull()
  })

  test('keeps the last route until a page listens, as at a cold start or during sign-in', () => {
    const { did, routes, listen } = createTestOpener()
    routes.open({ page: 'create' })
    routes.open({ page: 'messages' })
    expect(did).toEqual(['show', 'show'])
    expect(listen(true)).toBe('/messages')
    expect(listen(true)).toBeNull()
  })

  test('keeps routes again after sign-out, unload or a crash', () => {
    const { arrivals, did, routes, listen } = createTestOpener()
    listen(true)
    expect(routes.isListening()).toBe(true)
    listen(false)
    expect(arrivals()).toBe(1)
    expect(routes.isListening()).toBe(false)
    routes.open({ page: 'create' })
    expect(listen(true)).toBe('/create')
    routes.pageLeft()
    routes.open({ page: 'settings' })
    expect(did).toEqual(['show', 'show'])
    expect(listen(true)).toBe('/settings')
  })
})

test('calls back on reload and crash, but not on navigation within the page', () => {
  let left = 0
  const contents = new EventEmitter()
  onPageLeft(contents as unknown as Electron.WebContents, () => {
    left += 1
  })
  contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true })
  contents.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false })
  expect(left).toBe(0)
  contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
  contents.emit('render-process-gone')
  expect(left).toBe(2)
})
