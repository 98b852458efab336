import type { KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { EXPLORE_PATH } from '#/renderer/lib/content/topics'
import { useHasWall } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'
import { chooseFeed, type FeedTab } from '../chosen-feed'
import { FEED_KINDS, type FeedKind } from '../keys'

const TAB = 'rounded-sm px-3 font-semibold text-[14px] text-quiet leading-9 hover:text-ink'
/** The line below the chosen tab or link. */
const LINE = 'relative after:absolute after:inset-x-3 after:bottom-0.5 after:h-0.5 after:rounded-full'
const ROW = 'flex justify-center gap-2 max-sm:flex-wrap'

const PANEL = 'feed-panel'
const tabId = (tab: FeedTab) => `feed-tab-${tab}`

/** Props of the element that contains the chosen feed. */
export function feedPanel(chosen: FeedTab) {
  return { role: 'tabpanel', id: PANEL, 'aria-labelledby': tabId(chosen) } as const
}

export function focusFeedTab(tab: FeedTab): void {
  document.getElementById(tabId(tab))?.focus()
}

const KEYS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End'])

interface FeedTabsProps {
  chosen: FeedTab
  /** The feed that is shown, also on the wall. */
  kind: FeedKind
  onChoose: (tab: FeedTab) => void
}

/** The two feeds, and a link to Explore where there is no rail, which has one. After the ARIA authoring practices, only the chosen tab is in the tab order. */
export function FeedTabs({ chosen, kind, onChoose }: FeedTabsProps) {
  const tabs: readonly FeedTab[] = useHasWall() ? [...FEED_KINDS, 'wall'] : FEED_KINDS
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!KEYS.has(event.key)) return
    event.preventDefault()
    const step = event.key === 'ArrowLeft' ? -1 : 1
    const at = { Home: 0, End: -1 }[event.key] ?? (tabs.indexOf(chosen) + step) % tabs.length
    const tab = tabs.at(at)
    if (tab === undefined) return
    onChoose(tab)
    focusFeedTab(tab)
  }
  return (
    <div className={`${ROW} shrink-0 max-sm:mb-3`}>
      <div role="tablist" aria-label={texts.feed.tabsLabel} className="flex gap-1">
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={tabId(tab)}
            aria-selected={tab === chosen}
            aria-controls={PANEL}
            tabIndex={tab === chosen ? 0 : -1}
            title={tab === 'wall' ? texts.feed.walls[kind] : undefined}
            onClick={() => onChoose(tab)}
            onKeyDown={handleKeyDown}
            className={`${TAB} ${LINE} aria-selected:text-ink aria-selected:after:bg-accent ${tab === kind ? 'after:bg-line' : ''}`}
          >
            {texts.feed.tabs[tab]}
          </button>
        ))}
      </div>
      <Link to={EXPLORE_PATH} className={`${TAB} rail:hidden`}>
        {texts.explore.title}
      </Link>
    </div>
  )
}

/** The same row on Explore: links to the two feeds. The rail has what is in it. */
export function FeedLinks() {
  const { id: me } = useMe()
  return (
    <nav aria-label={texts.feed.tabsLabel} className={`${ROW} mb-5 rail:hidden`}>
      {FEED_KINDS.map((kind) => (
        <Link key={kind} to="/" onClick={() => chooseFeed(me, kind)} className={TAB}>
          {texts.feed.tabs[kind]}
        </Link>
      ))}
      <Link to={EXPLORE_PATH} aria-current="page" className={`${TAB} ${LINE} text-ink! after:bg-accent`}>
        {texts.explore.title}
      </Link>
    </nav>
  )
}
