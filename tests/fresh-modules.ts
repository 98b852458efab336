import { afterAll, vi } from 'vitest'

// Tests expect calls of `logFailure`, also those of `logIfFails`.
vi.mock('#/renderer/lib/core/logger', async (load) => {
  const logger = await load<typeof import('#/renderer/lib/core/logger')>()
  const logFailure = vi.fn(logger.logFailure)
  const logIfFails = (what: string, work: Promise<unknown>) => work.catch((cause) => logFailure(what, cause))
  return { ...logger, logFailure, logIfFails }
})

// Loading React and other packages takes longer than most test files. So files that mock modules share the packages of their
// worker, but not the modules of the project, which import the mocks.
vi.resetModules()

afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
