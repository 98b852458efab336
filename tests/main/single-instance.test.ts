import { beforeEach, describe, expect, test } from 'vitest'
import { claimSingleInstance } from '#/main/single-instance'
import { asElectron, FakeApp } from './support/fake-app'

let app: FakeApp
beforeEach(() => {
  app = new FakeApp()
})

describe('DESK-05 one instance', () => {
  test('the first one has the folder and shows its window when started again', () => {
    let shows = 0
    expect(claimSingleInstance(asElectron(app), { isQuitting: () => false, show: () => (shows += 1) })).toBe(
      true,
    )
    app.emit('second-instance')
    expect({ shows, hasQuit: app.hasQuit }).toEqual({ shows: 1, hasQuit: false })
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
