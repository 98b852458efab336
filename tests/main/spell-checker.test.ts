import { expect, test } from 'vitest'
import { createSpellChecker } from '#/main/spell-checker'
import { recordingLog } from './support/recording-log'

function createTestSpellChecker(platform: NodeJS.Platform, failure: Error | null = null) {
  const calls: string[][] = []
  const log = recordingLog()
  const checker = createSpellChecker({
    session: {
      availableSpellCheckerLanguages: ['de', 'en-GB', 'fr'],
      getSpellCheckerLanguages: () => calls.at(-1) ?? ['en-GB'],
      setSpellCheckerLanguages: (languages) => {
        if (failure !== null) throw failure
        calls.push(languages)
      },
    },
    platform,
    log,
  })
  return { checker, calls, log }
}

test.each(['win32', 'linux'] as const)(
  'DESK-12 the spell checker languages can be chosen on %s',
  (platform) => {
    const { checker, calls } = createTestSpellChecker(platform)
    expect(checker.languages()).toEqual({ available: ['de', 'en-GB', 'fr'], current: ['en-GB'] })
    checker.setLanguages(null)
    expect(calls).toEqual([])
    checker.setLanguages(['de', 'fr'])
    expect(checker.languages()?.current).toEqual(['de', 'fr'])
    checker.setLanguages([])
    expect(calls).toEqual([['de', 'fr'], []])
  },
)

test('DESK-12 skips a language without a dictionary, for which Electron throws', () => {
  const { checker, calls } = createTestSpellChecker('linux')
  checker.setLanguages(['tlh', 'de'])
  expect(calls).toEqual([['de']])
})

test('DESK-12 only logs a failing spell checker', () => {
  const { checker, log } = createTestSpellChecker('linux', new Error('Invalid language code'))
  checker.setLanguages(['de'])
  expect(log.lines[0]).toContain('warn could not set the spell-checker languages')
})

test('DESK-12 offers no choice on macOS, which detects languages', () => {
  const { checker, calls } = createTestSpellChecker('darwin')
  checker.setLanguages(['de'])
  expect(checker.languages()).toBeNull()
  expect(calls).toEqual([])
})
