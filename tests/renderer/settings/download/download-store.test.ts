import { beforeEach, expect, test, vi } from 'vitest'
import { ArchiveTooLarge } from '#/renderer/features/settings/download/archive'
import {
  cancelDownload,
  startDownload,
  useDownload,
} from '#/renderer/features/settings/download/download-store'
import { saveFile } from '#/renderer/lib/browser/object-url'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { callHook } from '#tests/renderer/dom'

const writing = vi.hoisted(() => ({ write: vi.fn() }))

vi.mock('#/renderer/lib/browser/object-url', () => ({ saveFile: vi.fn() }))
vi.mock('#/renderer/features/settings/download/write-download', () => ({ writeDownload: writing.write }))

const ME = { id: 'me', email: 'me@example.com' }
const state = (me = ME.id) => callHook(() => useDownload(me))

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  vi.mocked(saveFile).mockClear()
  writing.write.mockReset()
})

test.each([
  ['offline', new AppError('offline', '', '')],
  ['too-large', new ArchiveTooLarge()],
  ['other', new AppError('server', 'relation is locked', '500')],
])('SAFE-05 a failed download (%s) is logged, and saves no file', async (reason, cause) => {
  writing.write.mockRejectedValueOnce(cause)
  await startDownload(ME)
  expect(state()).toEqual({ status: 'failed', reason })
  expect(vi.mocked(logFailure).mock.calls).toEqual([['download my data', cause]])
  expect(saveFile).not.toHaveBeenCalled()
})

test('SAFE-05 a cancelled download is not a failure, and only its member sees a finished one', async () => {
  writing.write.mockImplementationOnce(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const running = startDownload(ME)
  await vi.waitFor(() => expect(writing.write).toHaveBeenCalled())
  cancelDownload()
  await running
  expect(state()).toEqual({ status: 'idle' })
  expect(logFailure).not.toHaveBeenCalled()
  writing.write.mockResolvedValueOnce([
    { file: new Blob(), name: 'vignette-mara-1.zip' },
    { file: new Blob(), name: 'vignette-mara-2.zip' },
  ])
  await startDownload(ME)
  expect(vi.mocked(saveFile).mock.calls.map(([, name]) => name)).toEqual(['vignette-mara-1.zip'])
  expect(state()).toMatchObject({
    status: 'done',
    name: 'vignette-mara-1.zip',
    others: [{ name: 'vignette-mara-2.zip' }],
  })
  expect(state('other member')).toEqual({ status: 'idle' })
})
