import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPageOrigin } from '#/main/server/origin'
import { guardNavigation, setupNavigation } from '#/main/window/navigation'

type Opener = (details: { url: string }) => { action: string }

class Contents extends EventEmitter {
  opener: Opener | null = null
  setWindowOpenHandler(opener: Opener): void {
    this.opener = opener
  }
}

let contents: Contents
let opened: string[]
let shownHere: string[]

/** The part of WebContents that the guard uses. */
const asElectron = (fake: Contents) => fake as unknown as Parameters<typeof guardNavigation>[0]

function isStopped(event: string, url: string, isMainFrame = true): boolean {
  let stopped = false
  const details = {
    url,
    isMainFrame,
    preventDefault: () => {
      stopped = true
    },
  }
  contents.emit(event, details)
  return stopped
}

beforeEach(() => {
  contents = new Contents()
  opened = []
  shownHere = []
  guardNavigation(asElectron(contents), createPageOrigin(undefined), {
    openExternal: (url) => {
      opened.push(url)
      return true
    },
    openPage: (path) => shownHere.push(path),
  })
})

describe('DESK-06 navigation', () => {
  test.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('%s stays on our pages', (event) => {
    expect(isStopped(event, 'app://bundle/profile/ana')).toBe(false)
    expect(isStopped(event, 'https://example.com/')).toBe(true)
    expect(isStopped(event, 'file:///etc/passwd')).toBe(true)
    expect(isStopped(event, 'app://bundle/', false)).toBe(true)
  })

  test('opens a clicked link in the browser; redirects and frames open nothing', () => {
    isStopped('will-frame-navigate', 'https://example.com/')
    isStopped('will-redirect', 'https://example.com/redirect')
    isStopped('will-frame-navigate', 'https://example.com/frame', false)
    isStopped('will-frame-navigate', 'app://bundle/create')
    expect(opened).toEqual(['https://example.com/'])
  })

  test('DESK-16 a link within the app that asks for a new window opens in this one', () => {
    const urls = ['app://bundle/profile/ana?tab=tagged#posts', 'app://bundle//elsewhere', 'app://elsewhere/']
    for (const url of urls) expect(contents.opener?.({ url })).toEqual({ action: 'deny' })
    expect(shownHere).toEqual(['/profile/ana?tab=tagged#posts', '/elsewhere'])
    expect(opened).toEqual(['app://elsewhere/'])
  })

  test('guards every new page', () => {
    const app = new EventEmitter()
    const later = new Contents()
    setupNavigation(app as unknown as Electron.App, createPageOrigin(undefined), {
      openExternal: () => true,
      openPage: () => undefined,
    })
    app.emit('web-contents-created', {}, later)
    expect(later.opener?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' })
    expect(later.eventNames()).toEqual([
      'will-frame-navigate',
      'will-navigate',
      'will-redirect',
      'will-attach-webview',
    ])
  })
})
