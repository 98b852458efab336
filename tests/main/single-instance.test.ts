import { beforeEach, describe, expect, test } from 'vitest'
import { claimSingleInstance } from '#/main/single-instance'
import { asElectron, FakeApp } from './support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

describe('DESK-05 one instance', () => {
  test('the first one has the folder and shows its window on what a second start asks for', () => {
    const starts: unknown[] = []
    const show = (...start: unknown[]) => starts.push(start)
    expect(claimSingleInstance(asElectron(app), { isQuitting: () => false, show })).toBe(true)
    app.emit('second-instance', {}, ['vignette', 'vignette://create'], '/home/ana')
    expect(starts).toEqual([[['vignette', 'vignette://create'], '/home/ana']])
    expect(app.hasQuit).toBe(false)
  })

  test('the second one quits', () => {
    app.isFirst = false
    expect(claimSingleInstance(asElectron(app), { isQuitting: () => false, show: () => undefined })).toBe(
      false,
    )
    expect(app.hasQuit).toBe(true)
  })

  test('started again while it shuts down, it comes back once', () => {
    let shows = 0
    claimSingleInstance(asElectron(app), { isQuitting: () => true, show: () => (shows += 1) })
    app.emit('second-instance')
    app.emit('second-instance')
    expect({ shows, relaunches: app.relaunches }).toEqual({ shows: 0, relaunches: 1 })
  })
})
