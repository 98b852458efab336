import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from '#/renderer/features/messages/copy-text'
import { logFailure } from '#/renderer/lib/core/logger'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('MSG-11 only logs a failure of the clipboard', async () => {
  const cause = new DOMException('Document is not focused', 'NotAllowedError')
  const writeText = vi.fn(async () => Promise.reject(cause))
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  copyText('See you at four')
  await vi.waitFor(() => expect(vi.mocked(logFailure).mock.calls).toEqual([['copy', cause]]))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('See you at four')
})
