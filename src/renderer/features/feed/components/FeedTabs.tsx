import type { KeyboardEvent } from 'react'
import { texts } from '#/renderer/lib/texts'
import { FEED_KINDS, type FeedKind } from '../keys'

/** Classes of a tab, and of the link beside them. */
export const FEED_TAB = 'rounded-sm px-3 font-semibold text-[14px] text-quiet leading-9 hover:text-ink'

const PANEL = 'feed-panel'
const tabId = (kind: FeedKind) => `feed-tab-${kind}`

/** Props of the element that contains the chosen feed. */
export function feedPanel(chosen: FeedKind) {
  return { role: 'tabpanel', id: PANEL, 'aria-labelledby': tabId(chosen) } as const
}

export function focusFeedTab(kind: FeedKind): void {
  document.getElementById(tabId(kind))?.focus()
}

const KEYS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End'])

interface FeedTabsProps {
  chosen: FeedKind
  onChoose: (kind: FeedKind) => void
}

/** Chooses between the two feeds; after the ARIA authoring practices, only the chosen tab is in the tab order. */
export function FeedTabs({ chosen, onChoose }: FeedTabsProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!KEYS.has(event.key)) return
    event.preventDefault()
    const other = chosen === 'following' ? 'everyone' : 'following'
    const kind = event.key === 'Home' ? FEED_KINDS[0] : event.key === 'End' ? FEED_KINDS.at(-1) : other
    if (kind === undefined) return
    onChoose(kind)
    focusFeedTab(kind)
  }
  return (
    <div role="tablist" aria-label={texts.feed.tabsLabel} className="flex gap-2">
      {FEED_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          role="tab"
          id={tabId(kind)}
          aria-selected={kind === chosen}
          aria-controls={PANEL}
          tabIndex={kind === chosen ? 0 : -1}
          onClick={() => onChoose(kind)}
          onKeyDown={handleKeyDown}
          className={`${FEED_TAB} relative after:absolute after:inset-x-3 after:bottom-0.5 after:h-0.5 after:rounded-full aria-selected:text-ink aria-selected:after:bg-accent`}
        >
          {texts.feed.tabs[kind]}
        </button>
      ))}
    </div>
  )
}
