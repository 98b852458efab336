import type { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settingKey } from '#/renderer/features/settings/keys'
import { resumeSettings, useProfileSetting } from '#/renderer/features/settings/mutations'
import { ProfileSwitch } from '#/renderer/features/settings/SettingsScreen'
import { AppError, type ErrorCode } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useToast } from '#/renderer/lib/core/toasts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { texts } from '#/renderer/lib/texts'
import { server } from '#tests/renderer/app/writes/server'
import { stubLocalStorage } from '#tests/renderer/local-storage'
import { callHook, clearPage, draw } from '#tests/renderer/page-without-dom'

vi.mock('react', async (load) => (await import('#tests/renderer/page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('#tests/renderer/page-without-dom')).withParts(await load()),
)
vi.mock('zustand', async (load) =>
  (await import('#tests/renderer/page-without-dom')).withStores(await load()),
)
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))
vi.mock(
  '#/renderer/lib/server/supabase',
  async () => (await import('#tests/renderer/app/writes/server')).supabaseModule,
)
vi.mock(
  '#/renderer/features/auth',
  async () => (await import('#tests/renderer/app/writes/server')).authModule,
)
vi.mock('#/renderer/features/settings/unsent', () => ({ forgetAllUnsent: async () => undefined }))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))

let client: QueryClient
let storage: ReturnType<typeof stubLocalStorage>
let writes = 0

/** Every save from now on ends like this. */
function saves(failure: ErrorCode | null): void {
  server.write = async () => {
    writes += 1
    if (failure !== null) throw new AppError(failure, '', '')
    return null
  }
}

const shown = () => draw(<ProfileSwitch setting="is_private" label="Private Account" body="" />, client)
const press = (isOn: boolean) => callHook(() => useProfileSetting('is_private'), client).change(isOn)
const stored = () => storage.disk.get(settingKey('me', 'is_private'))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.mocked(logFailure).mockClear()
  clearPage()
  client = createQueryClient()
  storage = stubLocalStorage()
  setSessionStatus({ status: 'confirmed', member: 'me' })
  writes = 0
})

afterEach(async () => {
  // Ends the attempts of the previous test.
  saves(null)
  await vi.advanceTimersByTimeAsync(120_000)
  vi.useRealTimers()
})

test.each<ErrorCode>(['offline', 'server', 'rate-limited', 'forbidden'])(
  'SET-02 a switch whose save fails (%s) stays, says so, and is sent again until it is stored',
  async (failure) => {
    saves(failure)
    press(true)
    expect(shown()).not.toContain(texts.settings.notSaved)
    await vi.advanceTimersByTimeAsync(0)
    expect(shown()).toContain('aria-checked="true"')
    expect(shown()).toContain(texts.settings.notSaved)
    expect(vi.mocked(logFailure)).toHaveBeenCalledWith('save is_private', expect.any(AppError))
    expect(useToast.getState().toast, 'no message').toBeNull()
    await vi.advanceTimersByTimeAsync(30_000)
    const failed = writes
    expect(failed).toBeGreaterThan(2)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(writes - failed, 'pauses grow').toBeLessThanOrEqual(20)
    expect(shown()).toContain(texts.settings.notSaved)

    saves(null)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown()).not.toContain(texts.settings.notSaved)
    expect(stored()).toBeUndefined()
    const { length } = vi.mocked(logFailure).mock.calls
    await vi.advanceTimersByTimeAsync(120_000)
    expect(vi.mocked(logFailure).mock.calls).toHaveLength(length)
  },
)

test('SET-02 a switch that is switched back before it was saved is not sent', async () => {
  saves('server')
  press(true)
  await vi.advanceTimersByTimeAsync(0)
  press(false)
  saves(null)
  writes = 0
  await vi.advanceTimersByTimeAsync(60_000)
  expect(writes).toBe(0)
  expect(shown()).toContain('aria-checked="false"')
  expect(shown()).not.toContain(texts.settings.notSaved)
})

test('SET-02 a switch that was not saved before a restart shows the choice, says so, and is sent', async () => {
  storage.disk.set(settingKey('me', 'is_private'), '{"from":false,"to":true}')
  expect(shown()).toContain('aria-checked="true"')
  saves('server')
  resumeSettings(client, 'me')
  expect(shown()).toContain(texts.settings.notSaved)
  await vi.advanceTimersByTimeAsync(0)
  expect(writes).toBe(1)
  saves(null)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stored()).toBeUndefined()
  expect(shown()).not.toContain(texts.settings.notSaved)
})
