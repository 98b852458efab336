import { beforeEach, describe, expect, test } from 'vitest'
import { claimSingleInstance, relaunchOptions } from '#/main/launch/single-instance'
import { asElectron, FakeApp } from '../support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

describe('DESK-05 one instance', () => {
  test.each([true, false])('the first one runs, another one quits: %s', (isFirst) => {
    app.isFirst = isFirst
    const handlers = { isQuitting: () => false, show: () => undefined, relaunchOptions: () => ({}) }
    expect(claimSingleInstance(asElectron(app), handlers)).toBe(isFirst)
    expect(app.hasQuit).toBe(!isFirst)
  })

  test('relaunches once when started again during shutdown', () => {
    let shows = 0
    claimSingleInstance(asElectron(app), {
      isQuitting: () => true,
      show: () => (shows += 1),
      relaunchOptions: (argv, workingDirectory) => ({ args: [...argv, workingDirectory] }),
    })
    app.emit('second-instance', {}, ['vignette', 'vignette://create'], '/home/ana')
    app.emit('second-instance', {}, ['vignette'], '/home/ana')
    expect({ shows, relaunches: app.relaunches }).toEqual({
      shows: 0,
      relaunches: [{ args: ['vignette', 'vignette://create', '/home/ana'] }],
    })
  })

  test('a relaunch keeps the link or photo of the second instance, also in an AppImage', () => {
    const installed = { appImage: null }
    expect(relaunchOptions({ route: { page: 'profile', username: 'mara' } }, installed)).toEqual({
      args: ['vignette://profile/mara'],
    })
    const server = { url: 'https://example.com', publishableKey: 'sb_1' }
    expect(relaunchOptions({ server }, installed)).toEqual({
      args: ['vignette://connect?url=https%3A%2F%2Fexample.com&key=sb_1'],
    })
    expect(relaunchOptions(null, installed)).toEqual({ args: [] })
    expect(relaunchOptions({ photo: '/photos/sea.jpg' }, { appImage: '/home/ana/V.AppImage' })).toEqual({
      execPath: '/home/ana/V.AppImage',
      args: ['--appimage-extract-and-run', '/photos/sea.jpg'],
    })
    expect(relaunchOptions({ video: '/photos/sea.mov' }, { appImage: null })).toEqual({
      args: ['/photos/sea.mov'],
    })
    expect(relaunchOptions({ photo: '/photos/sea.jpg' }, { project: '/src/vignette' })).toEqual({
      args: ['/src/vignette', '/photos/sea.jpg'],
    })
  })
})
