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

function preferencesWith(changed: Partial<Preferences> = {}) {
  const file = memoryDocument<Preferences>({ ...DEFAULT_PREFERENCES, ...changed })
  const nativeTheme: { themeSource: ThemePreference } = { themeSource: 'system' }
  const told: Preferences[] = []
  const logins: boolean[] = []
  const handlers = createPreferences({
    file,
    nativeTheme,
    setStartAtLogin: (isOn) => logins.push(isOn),
    changed: (value) => told.push(value),
  })
  return { handlers, file, nativeTheme, told, logins }
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

test('SET-06 the system hears of starting at login when that changes, and only then', async () => {
  const { handlers, logins } = preferencesWith({ startAtLogin: false })
  await handlers['preferences.set']({ startAtLogin: false })
  await handlers['preferences.set']({ startAtLogin: true })
  await handlers['preferences.set']({ theme: 'dark' })
  await handlers['preferences.set']({ startAtLogin: false })
  expect(logins).toEqual([true, false])
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
  expect(() => handlers['preferences.set']({ theme: 'dark', startAtLogin: true })).toThrow('ENOSPC')
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
