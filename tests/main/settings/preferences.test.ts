import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPreferences, defaultPreferences, storedPreferencesSchema } from '#/main/settings/preferences'
import { DEFAULT_PREFERENCES, type Preferences, type ThemePreference } from '#/shared/preferences'
import { preferencesSchema } from '#/shared/preferences-schema'
import { memoryDocument } from '../support/memory-document'
import { recordingLog } from '../support/recording-log'

function createTestPreferences(changed: Partial<Preferences> = {}) {
  const file = memoryDocument<Preferences>({ ...DEFAULT_PREFERENCES, ...changed })
  const nativeTheme: { themeSource: ThemePreference } = { themeSource: 'system' }
  const changes: Preferences[] = []
  const logins: boolean[] = []
  const deletions: string[] = []
  const languages: (readonly string[] | null)[] = []
  /** The login setting of the system; `failure` makes it reject. */
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
    crashDumps: {
      deleteAll: async () => {
        deletions.push('crash dumps')
      },
    },
    changed: (value) => changes.push(value),
    log,
  })
  return { handlers, refresh, file, nativeTheme, changes, logins, deletions, languages, login, log }
}

test('SET-06 applies the stored theme at startup', () => {
  expect(createTestPreferences({ theme: 'dark' }).nativeTheme.themeSource).toBe('dark')
})

test('SET-06 stores, applies and reports a change', async () => {
  const { handlers, file, nativeTheme, changes } = createTestPreferences()
  const light = { ...DEFAULT_PREFERENCES, theme: 'light' }
  expect(await handlers['preferences.set']({ theme: 'light' })).toEqual(light)
  expect(await handlers['preferences.get']()).toEqual(light)
  expect(file.read()).toEqual(light)
  expect(nativeTheme.themeSource).toBe('light')
  expect(changes).toEqual([light])
})

test('SET-06 turns off one notification topic and keeps the others', async () => {
  const { handlers } = createTestPreferences()
  await handlers['preferences.set']({ notifications: { likes: false } })
  await handlers['preferences.set']({ notifications: { follows: false }, notificationsPausedUntil: 5 })
  expect(await handlers['preferences.get']()).toEqual({
    ...DEFAULT_PREFERENCES,
    notifications: { messages: true, likes: false, comments: true, follows: false },
    notificationsPausedUntil: 5,
  })
})

test('SET-06 changes the login item only when the member changes the setting', async () => {
  const { handlers, logins } = createTestPreferences()
  await handlers['preferences.set']({ startAtLogin: true })
  await handlers['preferences.set']({ theme: 'dark' })
  await handlers['preferences.set']({ startAtLogin: false })
  expect(logins).toEqual([true, false])
})

test('DESK-12 start at login mirrors the setting of the system', async () => {
  const { handlers, login } = createTestPreferences({ startAtLogin: true })
  expect(await handlers['preferences.get']()).toMatchObject({ startAtLogin: false })
  login.isOn = true
  expect(await handlers['preferences.get']()).toMatchObject({ startAtLogin: true })
})

test('DESK-12 the switch stays off if the system refuses to start the app at login', async () => {
  const { handlers, login, changes, log } = createTestPreferences()
  login.failure = new Error('EACCES')
  expect(await handlers['preferences.set']({ startAtLogin: true })).toMatchObject({ startAtLogin: false })
  expect(changes).toMatchObject([{ startAtLogin: false }])
  expect(log.lines[0]).toContain('could not change the login item')
})

test('DESK-12 reports a change in the system settings to the page once', async () => {
  const { handlers, refresh, login, changes } = createTestPreferences()
  login.isOn = true
  // The page has not read the preferences yet.
  await refresh()
  await handlers['preferences.get']()
  expect(changes).toEqual([])
  login.isOn = false
  await refresh()
  await refresh()
  expect(changes).toMatchObject([{ startAtLogin: false }])
})

test('DESK-18 reports to the page that the app itself turned hardware acceleration off', async () => {
  const { handlers, refresh, file, changes } = createTestPreferences()
  await handlers['preferences.get']()
  file.write({ ...file.read(), hardwareAcceleration: 'crashed' })
  await refresh()
  await refresh()
  expect(changes).toMatchObject([{ hardwareAcceleration: 'crashed' }])
})

test('DESK-12 applies the stored spell checker languages at startup, and new ones at once', async () => {
  const { handlers, languages, file } = createTestPreferences({ spellCheckLanguages: ['de'] })
  await handlers['preferences.set']({ theme: 'dark' })
  await handlers['preferences.set']({ spellCheckLanguages: ['de', 'fr'] })
  expect(languages).toEqual([['de'], ['de', 'fr']])
  expect(file.read().spellCheckLanguages).toEqual(['de', 'fr'])
})

test('SET-06 keeps running in the tray by default on Windows only', () => {
  expect(defaultPreferences('win32').keepRunningInTray).toBe(true)
  expect(defaultPreferences('linux').keepRunningInTray).toBe(false)
  expect(defaultPreferences('darwin').keepRunningInTray).toBe(false)
})

test('keeps values that are missing or undefined in a patch', async () => {
  const { handlers } = createTestPreferences({ theme: 'dark' })
  await handlers['preferences.set']({})
  await handlers['preferences.set']({ theme: undefined, notifications: { likes: undefined } })
  expect(await handlers['preferences.get']()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' })
})

test('neither applies nor reports a change that could not be written', async () => {
  const { handlers, file, nativeTheme, changes, logins } = createTestPreferences()
  file.failure = new Error('ENOSPC')
  await expect(handlers['preferences.set']({ theme: 'dark', startAtLogin: true })).rejects.toThrow('ENOSPC')
  expect(nativeTheme.themeSource).toBe('system')
  expect([...changes, ...logins]).toEqual([])
})

test('any object parses as preferences: each invalid value falls back separately', () => {
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

test('DESK-19 turning crash dumps off deletes them at once', async () => {
  const { handlers, deletions } = createTestPreferences()
  await handlers['preferences.set']({ keepCrashDumps: true })
  await handlers['preferences.set']({ theme: 'dark' })
  expect(deletions).toEqual([])
  await handlers['preferences.set']({ keepCrashDumps: false })
  expect(deletions).toEqual(['crash dumps'])
})
