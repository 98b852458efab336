import { describe, expect, test } from 'vitest'
import { createPage, type PageWindow } from '#/main/window/page'

describe('the page', () => {
  function pageWith() {
    const did: string[] = []
    const deferred: (() => void)[] = []
    const window = {
      isGone: false,
      isDestroyed: () => window.isGone,
      loadURL: async (url: string) => void did.push(`load ${url}`),
      webContents: {
        send: (channel: string, value: unknown) => void did.push(`${channel} ${JSON.stringify(value)}`),
        reload: () => void did.push('reload'),
      },
    }
    const page = createPage('app://bundle/', (task) => deferred.push(task))
    return {
      page,
      did,
      window,
      attach: () => page.attach(window as PageWindow),
      run: () => {
        for (const task of deferred.splice(0)) task()
      },
    }
  }

  test('receives events, and loads deferred, so that the requesting call gets its reply', () => {
    const { page, did, attach, run } = pageWith()
    attach()
    page.send('window.changed', { isVisible: true, isFocused: false })
    page.loadHome()
    page.load('/signup')
    page.reload()
    expect(did).toEqual(['window.changed {"isVisible":true,"isFocused":false}'])
    run()
    expect(did.slice(1)).toEqual(['load app://bundle/', 'load app://bundle/signup', 'reload'])
  })

  test('ignores calls before the window exists and after it is destroyed', () => {
    const { page, did, attach, run, window } = pageWith()
    page.send('backend.changed', { state: 'ready' })
    attach()
    page.reload()
    window.isGone = true
    page.send('backend.changed', { state: 'ready' })
    run()
    expect(did).toEqual([])
  })
})
