import type { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settingKey } from '#/renderer/features/settings/keys'
import { resumeSettings } from '#/renderer/features/settings/mutations'
import { ProfileSwitch } from '#/renderer/features/settings/SettingsScreen'
import { AppError, type ErrorCode } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useToast } from '#/renderer/lib/core/toasts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { texts } from '#/renderer/lib/texts'
import { server } from '#tests/renderer/app/writes/server'
import { pageText, show } from '#tests/renderer/dom'

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
let writes = 0

/** Every save from now on ends like this. */
function saves(failure: ErrorCode | null): void {
  server.write = async () => {
    writes += 1
    if (failure !== null) throw new AppError(failure, '', '')
    return null
  }
}

function open() {
  show(<ProfileSwitch setting="is_private" label="Private Account" body="" />, { client })
}

const theSwitch = () => screen.getByRole('switch', { name: 'Private Account' })
const press = () => act(() => theSwitch().click())
const isOn = () => theSwitch().getAttribute('aria-checked')
const stored = () => localStorage.getItem(settingKey('me', 'is_private'))
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(logFailure).mockClear()
  client = createQueryClient()
  setSessionStatus({ status: 'confirmed', member: 'me' })
  writes = 0
})

afterEach(async () => {
  // Ends the attempts of the previous test.
  saves(null)
  await pass(120_000)
  vi.useRealTimers()
})

test.each<ErrorCode>(['offline', 'server', 'rate-limited', 'forbidden'])(
  'SET-02 a switch whose save fails (%s) stays, says so, and is sent again until it is stored',
  async (failure) => {
    saves(failure)
    open()
    press()
    expect(pageText()).not.toContain(texts.settings.notSaved)
    await pass(0)
    expect(isOn()).toBe('true')
    expect(pageText()).toContain(texts.settings.notSaved)
    expect(vi.mocked(logFailure)).toHaveBeenCalledWith('save is_private', expect.any(AppError))
    expect(useToast.getState().toast, 'no message').toBeNull()
    await pass(30_000)
    const failed = writes
    expect(failed).toBeGreaterThan(2)
    await pass(600_000)
    expect(writes - failed, 'pauses grow').toBeLessThanOrEqual(20)
    expect(pageText()).toContain(texts.settings.notSaved)

    saves(null)
    await pass(60_000)
    expect(pageText()).not.toContain(texts.settings.notSaved)
    expect(stored()).toBeNull()
    const { length } = vi.mocked(logFailure).mock.calls
    await pass(120_000)
    expect(vi.mocked(logFailure).mock.calls).toHaveLength(length)
  },
)

test('SET-02 a switch that is switched back before it was saved is not sent', async () => {
  saves('server')
  open()
  press()
  await pass(0)
  press()
  saves(null)
  writes = 0
  await pass(60_000)
  expect(writes).toBe(0)
  expect(isOn()).toBe('false')
  expect(pageText()).not.toContain(texts.settings.notSaved)
})

test('SET-02 a switch that was not saved before a restart shows the choice, says so, and is sent', async () => {
  localStorage.setItem(settingKey('me', 'is_private'), '{"from":false,"to":true}')
  open()
  expect(isOn()).toBe('true')
  saves('server')
  act(() => resumeSettings(client, 'me'))
  expect(pageText()).toContain(texts.settings.notSaved)
  await pass(0)
  expect(writes).toBe(1)
  saves(null)
  await pass(60_000)
  expect(stored()).toBeNull()
  expect(pageText()).not.toContain(texts.settings.notSaved)
})
