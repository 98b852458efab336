import { createWire, type Served } from '../wire'

const served: Served = {}

/** The connection to the test that started the app, over the child's IPC channel. */
export const testWire = createWire((message) => {
  if (process.connected) process.send?.(message)
}, served)

/** Exposes these functions to the test. */
export function serveTest(functions: object): void {
  Object.assign(served, functions)
}

export function listenToTest(): void {
  process.on('message', (message) => testWire.take(message))
  // The test has ended: exit, so that no app is left running.
  process.on('disconnect', () => process.exit(0))
}
