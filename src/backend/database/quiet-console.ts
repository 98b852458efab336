import { AsyncLocalStorage } from 'node:async_hooks'

const isQuiet = new AsyncLocalStorage<true>()
let isInstalled = false

/**
 * Runs work whose `console.error` is dropped, its own only. Lite prints every failed statement there, with its
 * parameters: members' texts, which a log must not have.
 */
export function withQuietConsole<T>(work: () => T): T {
  if (!isInstalled) {
    const { console } = globalThis
    const print = console.error.bind(console)
    console.error = (...words: unknown[]) => {
      if (isQuiet.getStore() !== true) print(...words)
    }
    isInstalled = true
  }
  return isQuiet.run(true, work)
}
