import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { setupRendererRecovery } from '#/main/renderer-recovery'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

describe('a page that dies', () => {
  function recovering() {
    const clock = manualClock()
    const log = recordingLog()
    const did: string[] = []
    const contents = new EventEmitter()
    const handlers = setupRendererRecovery(contents as unknown as Electron.WebContents, {
      now: clock.now,
      reload: () => did.push('reload'),
      giveUp: () => did.push('give up'),
      log,
    })
    const die = (reason = 'crashed') => contents.emit('render-process-gone', {}, { reason, exitCode: 5 })
    return { clock, log, did, die, contents, wasReloaded: handlers['recovery.take'] }
  }

  test('is loaded again, but not over and over', async () => {
    const { clock, did, die, log } = recovering()
    die()
    await clock.advance(60_000)
    die()
    await clock.advance(1_000)
    die()
    expect(did).toEqual(['reload', 'reload', 'give up'])
    expect(log.lines[0]).toBe('error page gone: crashed (5)')
  })

  test('the page that comes after is told, once', () => {
    const { die, wasReloaded } = recovering()
    expect(wasReloaded()).toBe(false)
    die()
    expect(wasReloaded()).toBe(true)
    expect(wasReloaded()).toBe(false)
  })

  test('one that ends as it should is left alone', () => {
    const { did, die } = recovering()
    die('clean-exit')
    expect(did).toEqual([])
  })

  test('a load that failed is logged, one that was replaced is not', () => {
    const { contents, log } = recovering()
    contents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', 'app://bundle/', true)
    contents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'app://bundle/', true)
    expect(log.lines).toEqual(['error page not loaded: ERR_FILE_NOT_FOUND (-6)'])
  })
})
