import { beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { registerDevice } from '#/renderer/lib/device/register-device'
import { forgetDeviceSession } from '#/renderer/lib/device/stored-device'
import { stubLocalStorage } from '../../local-storage'

const { rpc, session } = vi.hoisted(() => ({ rpc: vi.fn(), session: { token: '' } }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    auth: { getSession: async () => ({ session: { access_token: session.token } }) },
    rpc: async (name: string, args: unknown) => rpc(name, args),
  }),
  unwrap: async (answer: unknown) => answer,
}))

const tokenOf = (id: string) =>
  `header.${Buffer.from(JSON.stringify({ session_id: id })).toString('base64url')}.signature`
const registered = () => rpc.mock.calls.map(([, { device }]) => device)

beforeEach(() => {
  stubLocalStorage()
  vi.clearAllMocks()
  rpc.mockResolvedValue(null)
  useServerInfo.setState({ storageKey: 'embedded' })
  session.token = tokenOf('first')
})

test('AUTH-19 registers each session once, always with the same id', async () => {
  await registerDevice()
  await registerDevice()
  expect(rpc.mock.calls).toEqual([['register_device', { device: expect.stringMatching(/^[0-9a-f-]{36}$/) }]])
  session.token = tokenOf('second')
  await registerDevice()
  forgetDeviceSession()
  session.token = tokenOf('third')
  await registerDevice()
  expect(registered()).toHaveLength(3)
  expect(new Set(registered()).size).toBe(1)
})

test('AUTH-19 registers with another id at another server', async () => {
  await registerDevice()
  useServerInfo.setState({ storageKey: 'https://other.example' })
  await registerDevice()
  expect(new Set(registered()).size).toBe(2)
})

test('AUTH-19 registers again after a failure, and with an unreadable stored id', async () => {
  rpc.mockRejectedValueOnce(new AppError('server', '', '500'))
  localStorage.setItem('vignette.device.embedded', '{')
  await registerDevice()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['register device', expect.any(AppError)]])
  await registerDevice()
  expect(rpc).toHaveBeenCalledTimes(2)
})

test('AUTH-19 registers nothing without a session', async () => {
  session.token = ''
  await registerDevice()
  expect(rpc).not.toHaveBeenCalled()
})
