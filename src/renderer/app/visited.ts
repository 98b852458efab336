import { wait } from '#/renderer/lib/core/schedule'

/** The longest that the browser takes to walk back, in milliseconds. */
const WALK_MS = 1_000

/**
 * Leaves '/' as the only address of the page: Back and Forward would show the next member where the last one was, with the words of
 * their searches. Resolves when the browser is there. Its first entry is found by the Navigation API: the index that React Router counts
 * says nothing of entries that the browser has dropped (it keeps 50) or that a link inside the page has made.
 */
export async function forgetVisited(): Promise<void> {
  const { history, navigation } = window
  const first = navigation.entries().find(({ sameDocument }) => sameDocument)
  if (first !== undefined && first.key !== navigation.currentEntry?.key) {
    const walk = navigation.traverseTo(first.key)
    await Promise.race([walk.finished?.catch(() => undefined), wait(WALK_MS)])
  }
  history.replaceState({ idx: 0 }, '', '/')
  // A new entry drops those ahead.
  history.pushState({ idx: 1 }, '', '/')
}
