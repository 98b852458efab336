import { EventEmitter } from 'node:events'
import type { App, MessageBoxOptions, WebContents } from 'electron'
import { describe, expect, test } from 'vitest'
import { logProcessExits, setupRendererRecovery } from '#/main/window/renderer-recovery'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

function createTestRecovery({ isVisible = true } = {}) {
  const clock = manualClock()
  const log = recordingLog()
  const did: string[] = []
  const questions: { options: MessageBoxOptions; answer(button: number): void }[] = []
  const die = (reason = 'crashed') => contents.emit('render-process-gone', {}, { reason, exitCode: 5 })
  const contents = Object.assign(new EventEmitter(), { forcefullyCrashRenderer: () => die('killed') })
  const handlers = setupRendererRecovery(contents as unknown as WebContents, {
    now: clock.now,
    reload: () => did.push('reload'),
    giveUp: () => did.push('give up'),
    isVisible: () => isVisible,
    ask: (options) => new Promise((resolve) => questions.push({ options, answer: resolve })),
    log,
  })
  /** Clicks a button of the latest dialog. */
  const press = async (label: string) => {
    const question = questions.at(-1)
    const button = question?.options.buttons?.indexOf(label) ?? -1
    expect(button).toBeGreaterThanOrEqual(0)
    question?.answer(button)
    await clock.advance(0)
  }
  return { clock, log, did, die, contents, questions, press, wasReloaded: handlers['recovery.take'] }
}

describe('a page that crashes', () => {
  test('is reloaded, but not in a crash loop', async () => {
    const { clock, did, die, log } = createTestRecovery()
    die()
    await clock.advance(60_000)
    die()
    await clock.advance(1_000)
    die()
    expect(did).toEqual(['reload', 'reload', 'give up'])
    expect(log.lines[0]).toBe('error page crashed: crashed (5)')
  })

  test('the reloaded page can ask for the reason once', () => {
    const { die, wasReloaded } = createTestRecovery()
    expect(wasReloaded()).toBe(false)
    die()
    expect(wasReloaded()).toBe(true)
    expect(wasReloaded()).toBe(false)
  })

  test('is not reloaded after a clean exit', () => {
    const { did, die } = createTestRecovery()
    die('clean-exit')
    expect(did).toEqual([])
  })

  test('logs a failed load, but not a replaced one', () => {
    const { contents, log } = createTestRecovery()
    contents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', 'app://bundle/', true)
    contents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'app://bundle/', true)
    expect(log.lines).toEqual(['error page not loaded: ERR_FILE_NOT_FOUND (-6)'])
  })
})

describe('DESK-12 a page that does not respond', () => {
  test('is reloaded on request by killing its process, which does not count as a crash', async () => {
    const { contents, questions, press, did, die, wasReloaded, log } = createTestRecovery()
    die()
    contents.emit('unresponsive')
    expect(questions[0]?.options).toMatchObject({ message: 'Vignette does not respond', cancelId: 0 })
    await press('Reload')
    expect(did).toEqual(['reload', 'reload'])
    expect(wasReloaded()).toBe(true)
    expect(log.lines).toContain('error page crashed: killed (5)')
  })

  test('is not reloaded when the member waits; the dialog shows again, one at a time', async () => {
    const { contents, questions, press, did } = createTestRecovery()
    contents.emit('unresponsive')
    contents.emit('unresponsive')
    expect(questions).toHaveLength(1)
    await press('Wait')
    contents.emit('unresponsive')
    expect(questions).toHaveLength(2)
    expect(did).toEqual([])
  })

  test.each(['responsive', 'render-process-gone'])('%s closes the dialog', async (event) => {
    const { contents, questions, press, did } = createTestRecovery()
    contents.emit('unresponsive')
    contents.emit(event, {}, { reason: 'clean-exit', exitCode: 0 })
    expect(questions[0]?.options.signal?.aborted).toBe(true)
    // A click that arrives after the event has no effect.
    await press('Reload')
    expect(did).toEqual([])
  })

  test('shows no dialog while the window is not visible', () => {
    const { contents, questions, log } = createTestRecovery({ isVisible: false })
    contents.emit('unresponsive')
    expect(questions).toEqual([])
    expect(log.lines).toEqual(['warn page unresponsive'])
  })
})

test('DESK-12 logs the exit reason of each process', () => {
  const app = new EventEmitter()
  const log = recordingLog()
  logProcessExits(app as unknown as App, log)
  const end = (details: object) => app.emit('child-process-gone', {}, details)
  end({ type: 'GPU', reason: 'crashed', exitCode: 139 })
  end({ type: 'Utility', name: 'Network Service', reason: 'oom', exitCode: 9 })
  end({ type: 'Utility', serviceName: 'node.mojom.NodeService', reason: 'killed', exitCode: 15 })
  end({ type: 'GPU', reason: 'clean-exit', exitCode: 0 })
  expect(log.lines).toEqual([
    'error process gone: GPU, crashed (139)',
    'error process gone: Network Service, oom (9)',
    'warn process gone: node.mojom.NodeService, killed (15)',
  ])
})
