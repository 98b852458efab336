import { createWire, type Served } from '../wire'

const served: Served = {}

/** The wire to the test that started the app, over the child's IPC channel. */
export const testWire = createWire((message) => {
  if (process.connected) process.send?.(message)
}, served)

/** Lets the test call these. */
export function serveTest(functions: object): void {
  Object.assign(served, functions)
}

export function listenToTest(): void {
  process.on('message', (message) => testWire.take(message))
  // Whoever started the app is gone: a stray app helps nobody.
  process.on('disconnect', () => process.exit(0))
}
