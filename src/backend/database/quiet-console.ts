let quietCalls = 0
let isInstalled = false

/**
 * Drops what this thread prints with `console.error` until `work` is done. Lite prints failed statements with their parameters, and a
 * log must not contain members' texts. An AsyncLocalStorage would make every promise of lite slower.
 */
export async function withQuietConsole<T>(work: () => Promise<T>): Promise<T> {
  if (!isInstalled) {
    const { console } = globalThis
    const print = console.error.bind(console)
    console.error = (...values: unknown[]) => {
      if (quietCalls === 0) print(...values)
    }
    isInstalled = true
  }
  quietCalls += 1
  try {
    return await work()
  } finally {
    quietCalls -= 1
  }
}
