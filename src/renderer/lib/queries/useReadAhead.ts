import { useState } from 'react'

/** Pages in a row without anything to show, such as posts of muted members, after which a list waits for its reader. */
const EMPTY_PAGES = 10

/**
 * Bounds how far a list reads for something to show. Undefined while it may go on; then the function that lets it, for a button.
 * @param shown the items that it shows
 * @param pages the pages that it has read
 */
export function useReadAhead(shown: number, pages: number): (() => void) | undefined {
  const [last, setLast] = useState({ shown, pages })
  if (last.shown !== shown || last.pages > pages) setLast({ shown, pages })
  return pages - last.pages < EMPTY_PAGES ? undefined : () => setLast({ shown, pages })
}
