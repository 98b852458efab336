import { useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { Spinner } from '#/renderer/components/Spinner'
import { PostCard } from '#/renderer/features/post'
import { texts } from '#/renderer/lib/texts'
import { forgetFeedView, recallFeedView, rememberFeedView } from './feed-view'
import { removeFromFeed } from './queries'
import { useFeedShortcuts } from './useFeedShortcuts'

/** Height of a post that was not measured yet, in pixels. */
const ESTIMATED_HEIGHT = 720
/** Posts kept in the page above and below what is on screen. */
const OVERSCAN = 2
/** What the sticky header covers, and a little air, in pixels. */
const HEADER_HEIGHT = 72
/** The next page is asked for when this many posts are left below. */
const READ_AHEAD = 5

interface FeedListProps {
  ids: string[]
  hasMore: boolean
  onEnd: () => void
}

/** The posts on screen and a few around them, however long the feed: the rest is space of the right height. */
export function FeedList({ ids, hasMore, onEnd }: FeedListProps) {
  const client = useQueryClient()
  const isBack = useNavigationType() === 'POP'
  const [view] = useState(() => (isBack ? recallFeedView(client) : undefined))
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])

  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: HEADER_HEIGHT,
    ...(view && { initialOffset: view.offset, initialMeasurementsCache: view.measurements }),
  })

  useLayoutEffect(() => {
    if (view === undefined) forgetFeedView(client)
    else window.scrollTo({ top: view.offset })
  }, [client, view])

  useEffect(() => {
    return () => {
      if (virtualizer.scrollOffset !== null)
        rememberFeedView(client, {
          offset: virtualizer.scrollOffset,
          measurements: virtualizer.measurementsCache,
        })
    }
  }, [client, virtualizer])

  useFeedShortcuts({
    count: ids.length,
    scrollToIndex: (index) => virtualizer.scrollToIndex(index, { align: 'start' }),
  })

  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= ids.length - READ_AHEAD) onEnd()
  }, [hasMore, lastShown, ids.length, onEnd])

  return (
    <>
      <div
        ref={list}
        role="feed"
        aria-label={texts.feed.label}
        style={{ height: virtualizer.getTotalSize() }}
        className="relative"
      >
        {items.map((item) => (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            style={{ transform: `translateY(${item.start - top}px)` }}
            className="absolute inset-x-0 top-0"
          >
            <PostCard id={ids[item.index] ?? ''} onDeleted={(id) => removeFromFeed(client, id)} />
          </div>
        ))}
      </div>
      <div className="grid h-16 place-items-center text-[13.5px] text-quiet">
        {hasMore ? <Spinner label={texts.feed.loadingMore} /> : texts.feed.end}
      </div>
    </>
  )
}
