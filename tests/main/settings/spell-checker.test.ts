import { expect, test } from 'vitest'
import { createSpellChecker } from '#/main/settings/spell-checker'
import { recordingLog } from '../support/recording-log'

const GOOGLE = 'from https://redirector.gvt1.com/edgedl/chrome/dict/'
/** Chromium refuses port 1. */
const NOWHERE = 'from https://127.0.0.1:1/'

interface Options {
  failure?: Error
  preferred?: string[]
}

function createTestSpellChecker(platform: NodeJS.Platform, { failure, preferred = ['de-AT'] }: Options = {}) {
  const calls: string[] = []
  const log = recordingLog()
  const checker = createSpellChecker({
    session: {
      availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'pt-BR'],
      setSpellCheckerDictionaryDownloadURL: (url) => void calls.push(`from ${url}`),
      setSpellCheckerLanguages: (languages) => {
        if (failure !== undefined) throw failure
        calls.push(languages.join())
      },
    },
    app: { getPreferredSystemLanguages: () => preferred },
    platform,
    log,
  })
  return { checker, calls, log }
}

test.each(['win32', 'linux'] as const)(
  'DESK-12 the spell checker languages can be chosen on %s; only they are downloaded',
  (platform) => {
    const { checker, calls } = createTestSpellChecker(platform)
    checker.setLanguages([])
    expect(calls.splice(0)).toEqual([NOWHERE, ''])
    checker.setLanguages(['de', 'en-GB'])
    expect(calls.splice(0)).toEqual([GOOGLE, 'de,en-GB'])
    checker.setLanguages([])
    expect(calls).toEqual([NOWHERE, ''])
  },
)

test.each([
  [['de-AT', 'en-GB'], 'de'],
  [['en-GB'], 'en-GB'],
  [['en-AU'], 'en-GB'],
  [['pt'], 'pt-BR'],
  [['tlh', 'de'], 'de'],
  [[], 'en-US'],
])('DESK-12 with the system languages %j suggests %s', (preferred, suggested) => {
  const { checker } = createTestSpellChecker('linux', { preferred })
  expect(checker.languages()).toEqual({ available: ['de', 'en-GB', 'en-US', 'pt-BR'], suggested })
})

test('DESK-12 skips a language without a dictionary, for which Electron throws', () => {
  const { checker, calls } = createTestSpellChecker('linux')
  checker.setLanguages(['tlh', 'de'])
  expect(calls).toEqual([GOOGLE, 'de'])
  calls.splice(0)
  checker.setLanguages(['tlh'])
  expect(calls).toEqual([NOWHERE, ''])
})

test('DESK-12 only logs a failing spell checker', () => {
  const { checker, log } = createTestSpellChecker('linux', { failure: new Error('Invalid language code') })
  checker.setLanguages(['de'])
  expect(log.lines[0]).toContain('warn could not set the spell-checker languages')
})

test('DESK-12 offers no choice on macOS, which detects languages', () => {
  const { checker, calls } = createTestSpellChecker('darwin')
  checker.setLanguages(['de'])
  expect(checker.languages()).toBeNull()
  expect(calls).toEqual([])
})
