import { afterAll, vi } from 'vitest'

// Loading React and other packages takes longer than most test files. So files that mock modules share the packages of their
// worker, but not the modules of the project, which import the mocks.
vi.resetModules()

afterAll(async () => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  // An import that is still under way when the next file of the worker registers its mocks would get two instances of them.
  await vi.dynamicImportSettled()
})
