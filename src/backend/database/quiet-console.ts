import { AsyncLocalStorage } from 'node:async_hooks'

const isQuiet = new AsyncLocalStorage<true>()
let isInstalled = false

/**
 * Drops what `work` prints with `console.error`. Lite prints failed statements with their parameters, and a log must not
 * contain members' texts.
 */
export function withQuietConsole<T>(work: () => T): T {
  if (!isInstalled) {
    const { console } = globalThis
    const print = console.error.bind(console)
    console.error = (...values: unknown[]) => {
      if (isQuiet.getStore() !== true) print(...values)
    }
    isInstalled = true
  }
  return isQuiet.run(true, work)
}
