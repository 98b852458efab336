import { useSyncExternalStore } from 'react'

/** Windows with the rail instead of the top bar: the variant `rail` of app/styles.css (docs/decisions/0075-wide-layout.md). */
export const RAIL_QUERY = '(width >= 1264px) and (height >= 400px)'

/** Windows whose rail has words, and whose feed has an aside: the variant `spacious`. */
export const SPACIOUS_QUERY = '(width >= 1600px) and (height >= 400px)'

/** Windows with room for the feed as a wall of photos. */
const WALL_QUERY = '(width >= 2200px) and (height >= 400px)'

/** Windows with room for a third pane beside a conversation. */
const PANE_QUERY = '(width >= 1400px)'

/** Height of the top bar with its line, in pixels. */
const BAR_HEIGHT = 57

/** The matches of a media query: for what CSS cannot say. */
function mediaStore(text: string) {
  return {
    matches: () => window.matchMedia(text).matches,
    subscribe: (onChange: () => void) => {
      const query = window.matchMedia(text)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
  }
}

const rail = mediaStore(RAIL_QUERY)
const spacious = mediaStore(SPACIOUS_QUERY)
const wall = mediaStore(WALL_QUERY)
const pane = mediaStore(PANE_QUERY)

/** Whether the navigation is the rail. */
export function useHasRail(): boolean {
  return useSyncExternalStore(rail.subscribe, rail.matches)
}

/** Whether the rail has words, and the feed an aside. */
export function useIsSpacious(): boolean {
  return useSyncExternalStore(spacious.subscribe, spacious.matches)
}

/** Whether the feed can be shown as a wall. */
export function useHasWall(): boolean {
  return useSyncExternalStore(wall.subscribe, wall.matches)
}

/** Whether a conversation has room for a pane beside it. */
export function useHasPane(): boolean {
  return useSyncExternalStore(pane.subscribe, pane.matches)
}

/** The direction of the page. */
export function useDirection(): 'ltr' | 'rtl' {
  return useSyncExternalStore(subscribeToDirection, () =>
    document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
  )
}

function subscribeToDirection(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['dir'] })
  return () => observer.disconnect()
}

/** What the top bar covers of the window's top, in pixels: `--bar-height`. */
export function barHeight(): number {
  return rail.matches() ? 0 : BAR_HEIGHT
}
