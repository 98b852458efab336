import { wait } from '#/renderer/lib/core/schedule'

/** The longest that the browser takes to walk back, in milliseconds. */
const WALK_MS = 1_000

/** How many entries of this page stand before the present one, as React Router counts them. */
function entriesBefore(state: unknown): number {
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : 0
}

/**
 * Leaves '/' as the only address of the page: Back and Forward would show the next member where the last one was, with the words of
 * their searches. Resolves when the browser is there.
 */
export async function forgetVisited(): Promise<void> {
  const before = entriesBefore(window.history.state)
  if (before > 0) {
    const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
    window.history.go(-before)
    await Promise.race([arrived, wait(WALK_MS)])
  }
  window.history.replaceState({ idx: 0 }, '', '/')
  // A new entry drops those ahead.
  window.history.pushState({ idx: 1 }, '', '/')
}
