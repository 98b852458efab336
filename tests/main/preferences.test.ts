import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPreferences, storedPreferencesSchema } from '#/main/preferences'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  preferencesSchema,
  type ThemePreference,
} from '#/shared/bridge'
import { memoryDocument } from './support/memory-document'

function preferencesWith(initial: Preferences = DEFAULT_PREFERENCES) {
  const file = memoryDocument(initial)
  const nativeTheme: { themeSource: ThemePreference } = { themeSource: 'system' }
  const told: Preferences[] = []
  const handlers = createPreferences({ file, nativeTheme, changed: (value) => told.push(value) })
  return { handlers, file, nativeTheme, told }
}

test('SET-06 the kept theme is applied at the start', () => {
  expect(preferencesWith({ theme: 'dark' }).nativeTheme.themeSource).toBe('dark')
})

test('SET-06 a change is kept, applied and told', async () => {
  const { handlers, file, nativeTheme, told } = preferencesWith()
  expect(await handlers['preferences.set']({ theme: 'light' })).toEqual({ theme: 'light' })
  expect(await handlers['preferences.get']()).toEqual({ theme: 'light' })
  expect(file.read()).toEqual({ theme: 'light' })
  expect(nativeTheme.themeSource).toBe('light')
  expect(told).toEqual([{ theme: 'light' }])
})

test('what a change does not name stays, also when it is named as undefined', async () => {
  const { handlers } = preferencesWith({ theme: 'dark' })
  await handlers['preferences.set']({})
  await handlers['preferences.set']({ theme: undefined })
  expect(await handlers['preferences.get']()).toEqual({ theme: 'dark' })
})

test('a change that could not be written is neither applied nor told', () => {
  const { handlers, file, nativeTheme, told } = preferencesWith()
  file.failure = new Error('ENOSPC')
  expect(() => handlers['preferences.set']({ theme: 'dark' })).toThrow('ENOSPC')
  expect(nativeTheme.themeSource).toBe('system')
  expect(told).toEqual([])
})

test('any object reads as preferences: what is wrong or unknown in it falls back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (others, theme) => {
      const read = storedPreferencesSchema.parse({ ...others, theme })
      expect(preferencesSchema.safeParse(read).success).toBe(true)
    }),
  )
  expect(storedPreferencesSchema.parse({ theme: 'dark', fromTheFuture: 1 })).toEqual({ theme: 'dark' })
})
