import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPreferences, defaultPreferences, storedPreferencesSchema } from '#/main/preferences'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  preferencesSchema,
  type ThemePreference,
} from '#/shared/preferences'
import { memoryDocument } from './support/memory-document'
import { recordingLog } from './support/recording-log'

function preferencesWith(changed: Partial<Preferences> = {}) {
  const file = memoryDocument<Preferences>({ ...DEFAULT_PREFERENCES, ...changed })
  const nativeTheme: { themeSource: ThemePreference } = { themeSource: 'system' }
  const told: Preferences[] = []
  const logins: boolean[] = []
  const languages: (readonly string[] | null)[] = []
  /** What the system will do at login; `failure` is what it answers instead. */
  const login = { isOn: false, failure: null as Error | null }
  const log = recordingLog()
  const { handlers, refresh } = createPreferences({
    file,
    nativeTheme,
    loginItem: {
      isOn: async () => {
        if (login.failure !== null) throw login.failure
        return login.isOn
      },
      set: async (isOn) => {
        if (login.failure !== null) throw login.failure
        logins.push(isOn)
        login.isOn = isOn
      },
    },
    spellChecker: { setLanguages: (chosen) => languages.push(chosen) },
    changed: (value) => told.push(value),
    log,
  })
  return { handlers, refresh, file, nativeTheme, told, logins, languages, login, log }
}

test('SET-06 the kept theme is applied at the start', () => {
  expect(preferencesWith({ theme: 'dark' }).nativeTheme.themeSource).toBe('dark')
})

test('SET-06 a change is kept, applied and told', async () => {
  const { handlers, file, nativeTheme, told } = preferencesWith()
  const light = { ...DEFAULT_PREFERENCES, theme: 'light' }
  expect(await handlers['preferences.set']({ theme: 'light' })).toEqual(light)
  expect(await handlers['preferences.get']()).toEqual(light)
  expect(file.read()).toEqual(light)
  expect(nativeTheme.themeSource).toBe('light')
  expect(told).toEqual([light])
})

test('SET-06 one kind of notifications is turned off, the others stay', async () => {
  const { handlers } = preferencesWith()
  await handlers['preferences.set']({ notifications: { likes: false } })
  await handlers['preferences.set']({ notifications: { follows: false }, notificationsPausedUntil: 5 })
  expect(await handlers['preferences.get']()).toEqual({
    ...DEFAULT_PREFERENCES,
    notifications: { messages: true, likes: false, comments: true, follows: false },
    notificationsPausedUntil: 5,
  })
})

test('SET-06 the system is asked to start the app at login when the member chooses it, and only then', async () => {
  const { handlers, logins } = preferencesWith()
  await handlers['preferences.set']({ startAtLogin: true })
  await handlers['preferences.set']({ theme: 'dark' })
  await handlers['preferences.set']({ startAtLogin: false })
  expect(logins).toEqual([true, false])
})

test('DESK-12 start at login is what the system says, whatever was chosen in the app', async () => {
  const { handlers, login } = preferencesWith({ startAtLogin: true })
  expect(await handlers['preferences.get']()).toMatchObject({ startAtLogin: false })
  login.isOn = true
  expect(await handlers['preferences.get']()).toMatchObject({ startAtLogin: true })
})

test('DESK-12 a system that refuses to start the app at login leaves the switch off', async () => {
  const { handlers, login, told, log } = preferencesWith()
  login.failure = new Error('EACCES')
  expect(await handlers['preferences.set']({ startAtLogin: true })).toMatchObject({ startAtLogin: false })
  expect(told).toMatchObject([{ startAtLogin: false }])
  expect(log.lines[0]).toContain('could not change the login item')
})

test('DESK-12 the page hears of a change in the system’s settings, once', async () => {
  const { handlers, refresh, login, told } = preferencesWith()
  login.isOn = true
  // Nobody has asked yet.
  await refresh()
  await handlers['preferences.get']()
  expect(told).toEqual([])
  login.isOn = false
  await refresh()
  await refresh()
  expect(told).toMatchObject([{ startAtLogin: false }])
})

test('DESK-12 the spell checker gets the languages chosen earlier at the start, and new ones at once', async () => {
  const { handlers, languages, file } = preferencesWith({ spellCheckLanguages: ['de'] })
  await handlers['preferences.set']({ theme: 'dark' })
  await handlers['preferences.set']({ spellCheckLanguages: ['de', 'fr'] })
  expect(languages).toEqual([['de'], ['de', 'fr']])
  expect(file.read().spellCheckLanguages).toEqual(['de', 'fr'])
})

test('SET-06 before a member chose, the app stays in the tray on Windows only', () => {
  expect(defaultPreferences('win32').keepRunningInTray).toBe(true)
  expect(defaultPreferences('linux').keepRunningInTray).toBe(false)
  expect(defaultPreferences('darwin').keepRunningInTray).toBe(false)
})

test('what a change does not name stays, also when it is named as undefined', async () => {
  const { handlers } = preferencesWith({ theme: 'dark' })
  await handlers['preferences.set']({})
  await handlers['preferences.set']({ theme: undefined, notifications: { likes: undefined } })
  expect(await handlers['preferences.get']()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' })
})

test('a change that could not be written is neither applied nor told', async () => {
  const { handlers, file, nativeTheme, told, logins } = preferencesWith()
  file.failure = new Error('ENOSPC')
  await expect(handlers['preferences.set']({ theme: 'dark', startAtLogin: true })).rejects.toThrow('ENOSPC')
  expect(nativeTheme.themeSource).toBe('system')
  expect([...told, ...logins]).toEqual([])
})

test('any object reads as preferences: what is wrong or unknown in it falls back, one by one', () => {
  const schema = storedPreferencesSchema(DEFAULT_PREFERENCES)
  const keys = fc.constantFrom(...Object.keys(DEFAULT_PREFERENCES))
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(keys, fc.string()), fc.anything()), (stored) => {
      expect(preferencesSchema.safeParse(schema.parse(stored)).success).toBe(true)
    }),
  )
  expect(schema.parse({ theme: 'dark', notifications: { likes: false, messages: 7 }, later: 1 })).toEqual({
    ...DEFAULT_PREFERENCES,
    theme: 'dark',
    notifications: { ...DEFAULT_PREFERENCES.notifications, likes: false },
  })
})
