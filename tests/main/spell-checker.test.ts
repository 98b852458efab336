import { expect, test } from 'vitest'
import { createSpellChecker } from '#/main/spell-checker'
import { recordingLog } from './support/recording-log'

function spellCheckerOn(platform: NodeJS.Platform, failure: Error | null = null) {
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
  'DESK-12 on %s the languages of the spell checker can be chosen',
  (platform) => {
    const { checker, calls } = spellCheckerOn(platform)
    expect(checker.languages()).toEqual({ available: ['de', 'en-GB', 'fr'], current: ['en-GB'] })
    checker.setLanguages(null)
    expect(calls).toEqual([])
    checker.setLanguages(['de', 'fr'])
    expect(checker.languages()?.current).toEqual(['de', 'fr'])
    checker.setLanguages([])
    expect(calls).toEqual([['de', 'fr'], []])
  },
)

test('DESK-12 a language without a dictionary, for which Electron throws, is left out', () => {
  const { checker, calls } = spellCheckerOn('linux')
  checker.setLanguages(['tlh', 'de'])
  expect(calls).toEqual([['de']])
})

test('DESK-12 a spell checker that fails is logged and harms nothing', () => {
  const { checker, log } = spellCheckerOn('linux', new Error('Invalid language code'))
  checker.setLanguages(['de'])
  expect(log.lines[0]).toContain('warn could not set the spell-checker languages')
})

test('DESK-12 macOS detects languages itself: there is nothing to choose', () => {
  const { checker, calls } = spellCheckerOn('darwin')
  checker.setLanguages(['de'])
  expect(checker.languages()).toBeNull()
  expect(calls).toEqual([])
})
