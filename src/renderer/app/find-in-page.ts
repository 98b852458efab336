import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import type { DesktopBridge, FoundInPage } from '#/shared/bridge'

interface Direction {
  isForward: boolean
  /** The text has changed since the last search: the active match stays if it still fits. */
  isNew: boolean
}

/**
 * Searches the page, leaving out the find bar's own field. Chromium also searches the texts of fields, and the bar's field, which has
 * exactly this text, is the first one of the document: it is always the first match.
 * @param find `search` of the bridge
 * @returns null if another search came first, `failed` if the host refused it, which is logged
 */
export async function searchPage(
  find: DesktopBridge['find']['search'],
  text: string,
  { isForward, isNew }: Direction,
): Promise<FoundInPage | 'failed' | null> {
  try {
    let found = await find(text, { isForward, isNew })
    if (found?.active === 1 && found.matches > 1) found = await find(text, { isForward, isNew: false })
    return found && { active: Math.max(0, found.active - 1), matches: Math.max(0, found.matches - 1) }
  } catch (cause) {
    logFailure('find in page', cause)
    return 'failed'
  }
}

/** Removes the marks of a search. A failure is only logged. */
export function stopSearch(
  { stop }: Pick<DesktopBridge['find'], 'stop'>,
  action: 'clearSelection' | 'keepSelection',
): void {
  logIfFails('stop finding', stop(action))
}

/** What the keys of an open find bar do, wherever the focus is: F3, and Ctrl or Cmd and G. */
export function findKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  isMac: boolean,
): 'next' | 'previous' | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey) return null
  const isHeld = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  const isFindKey = key === 'F3' ? !ctrlKey && !metaKey : key.toLowerCase() === 'g' && isHeld
  if (!isFindKey) return null
  return shiftKey ? 'previous' : 'next'
}
