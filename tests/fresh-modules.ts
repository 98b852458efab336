import { afterAll, vi } from 'vitest'

// Tests expect calls of `logFailure`, also those of `logIfFails`. One spy for a file: Vitest may call the factory again when an import of
// an earlier file of the worker ends late.
const spied = vi.hoisted(() => {
  const real = { logFailure: (_what: string, _cause: unknown): void => undefined }
  return { real, logFailure: vi.fn((what: string, cause: unknown) => real.logFailure(what, cause)) }
})
vi.mock('#/renderer/lib/core/logger', async (load) => {
  const logger = await load<typeof import('#/renderer/lib/core/logger')>()
  spied.real.logFailure = logger.logFailure
  const { logFailure } = spied
  const logIfFails = (what: string, work: Promise<unknown>) => work.catch((cause) => logFailure(what, cause))
  return { ...logger, logFailure, logIfFails }
})

// Loading React and other packages takes longer than most test files. So files that mock modules share the packages of their
// worker, but not the modules of the project, which import the mocks.
vi.resetModules()

afterAll(async () => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  await vi.dynamicImportSettled()
})
