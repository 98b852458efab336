import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { resumeSettings } from '#/renderer/features/settings'
import { settingKey } from '#/renderer/features/settings/keys'
import { logFailure } from '#/renderer/lib/core/logger'
import { stubLocalStorage } from '../local-storage'

const mutations = vi.hoisted(() => ({ resumeSettings: vi.fn() }))
vi.mock('#/renderer/features/settings/mutations', () => mutations)

test('SET-02 loads the code of settings at the start only if one was not saved, and logs that it cannot be loaded', async () => {
  const { disk } = stubLocalStorage()
  const client = new QueryClient()
  resumeSettings(client, 'me')
  disk.set(settingKey('other', 'is_private'), '{"from":false,"to":true}')
  resumeSettings(client, 'me')
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(mutations.resumeSettings).not.toHaveBeenCalled()

  disk.set(settingKey('me', 'is_private'), '{"from":false,"to":true}')
  resumeSettings(client, 'me')
  await vi.waitFor(() => expect(mutations.resumeSettings).toHaveBeenCalledExactlyOnceWith(client, 'me'))

  const cause = new Error('not loaded')
  mutations.resumeSettings.mockImplementation(() => {
    throw cause
  })
  resumeSettings(client, 'me')
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('resume settings', cause))
})
