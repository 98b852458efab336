import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createRouteOpener, onPageLeft } from '#/main/route-opener'

function opener() {
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

describe('DESK-03 leading to a place', () => {
  test('brings the window up there, at once when the page listens', () => {
    const { did, routes, listen } = opener()
    expect(listen(true)).toBeNull()
    routes.open({ page: 'profile', username: 'mara' })
    expect(did).toEqual(['show', '/profile/mara'])
    expect(listen(true)).toBeNull()
  })

  test('waits for a page that is not there yet, as at a cold start or while signing in; the last wish counts', () => {
    const { did, routes, listen } = opener()
    routes.open({ page: 'create' })
    routes.open({ page: 'messages' })
    expect(did).toEqual(['show', 'show'])
    expect(listen(true)).toBe('/messages')
    expect(listen(true)).toBeNull()
  })

  test('after signing out, or when the page was left or died, it waits again', () => {
    const { arrivals, did, routes, listen } = opener()
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

test('a page is left when it is loaded anew or dies, not when one moves within it', () => {
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
