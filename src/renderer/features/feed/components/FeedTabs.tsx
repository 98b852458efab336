import type { KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { EXPLORE_PATH } from '#/renderer/lib/topics'
import { chooseFeed } from '../chosen-feed'
import { FEED_KINDS, type FeedKind } from '../keys'

const TAB = 'rounded-sm px-3 font-semibold text-[14px] text-quiet leading-9 hover:text-ink'
/** The line below the chosen tab or link. */
const LINE = 'relative after:absolute after:inset-x-3 after:bottom-0.5 after:h-0.5 after:rounded-full'
const ROW = 'flex justify-center gap-2'

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

/** The two feeds, and a link to Explore where there is no rail, which has one. After the ARIA authoring practices, only the chosen tab is in the tab order. */
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
    <div className={`${ROW} shrink-0 max-sm:mb-3`}>
      <div role="tablist" aria-label={texts.feed.tabsLabel} className="flex gap-1">
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
            className={`${TAB} ${LINE} aria-selected:text-ink aria-selected:after:bg-accent`}
          >
            {texts.feed.tabs[kind]}
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
