import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type GraphicsParts, setupGraphics } from '#/main/help/graphics'
import { DEFAULT_PREFERENCES, type Preferences } from '#/shared/preferences'
import { manualClock } from '../support/manual-clock'
import { memoryDocument } from '../support/memory-document'
import { recordingLog } from '../support/recording-log'

function createTestGraphics(hardwareAcceleration: Preferences['hardwareAcceleration'] = 'on') {
  const clock = manualClock()
  const log = recordingLog()
  const preferences = memoryDocument<Preferences>({ ...DEFAULT_PREFERENCES, hardwareAcceleration })
  let isDisabled = false
  const app = Object.assign(new EventEmitter(), {
    disableHardwareAcceleration: () => {
      isDisabled = true
    },
  })
  const isAccelerated = setupGraphics({
    app: app as unknown as GraphicsParts['app'],
    preferences,
    now: clock.now,
    log,
  })
  const end = (type = 'GPU', reason = 'crashed') => app.emit('child-process-gone', {}, { type, reason })
  const setting = () => preferences.read().hardwareAcceleration
  return { clock, log, preferences, end, setting, isAccelerated, isDisabled: () => isDisabled }
}

describe('DESK-18 hardware acceleration', () => {
  test('is off from the next start on after two crashes of the GPU process within a minute', async () => {
    const graphics = createTestGraphics()
    expect([graphics.isAccelerated, graphics.isDisabled()]).toEqual([true, false])
    graphics.end()
    await graphics.clock.advance(59_000)
    graphics.end('GPU', 'launch-failed')
    expect(graphics.setting()).toBe('crashed')
    expect(graphics.preferences.written).toEqual([
      { ...DEFAULT_PREFERENCES, hardwareAcceleration: 'crashed' },
    ])
    // This run cannot change any more, and further crashes say nothing new.
    graphics.end()
    expect(graphics.isDisabled()).toBe(false)
    expect(graphics.preferences.written).toHaveLength(1)
  })

  test('stays on after crashes more than a minute apart', async () => {
    const { clock, end, setting } = createTestGraphics()
    end()
    await clock.advance(60_000)
    end()
    expect(setting()).toBe('on')
  })

  test.each([
    ['crashes', 'Utility', 'crashed'],
    ['is ended on purpose', 'GPU', 'killed'],
    ['ends', 'GPU', 'clean-exit'],
  ])('stays on if a process %s: %s, %s', (_, type, reason) => {
    const { end, setting } = createTestGraphics()
    end()
    end(type, reason)
    end(type, reason)
    expect(setting()).toBe('on')
  })

  test.each(['off', 'crashed'] as const)('that is %s is turned off before the app is ready', (setting) => {
    const graphics = createTestGraphics(setting)
    expect([graphics.isAccelerated, graphics.isDisabled()]).toEqual([false, true])
    graphics.end()
    graphics.end()
    expect(graphics.setting()).toBe(setting)
  })

  test('stays on, with a line in the log, if the disk is full', () => {
    const graphics = createTestGraphics()
    graphics.preferences.failure = new Error('ENOSPC')
    graphics.end()
    graphics.end()
    expect(graphics.setting()).toBe('on')
    expect(graphics.log.lines.at(-1)).toContain(
      'error could not turn hardware acceleration off: Error: ENOSPC',
    )
  })
})
