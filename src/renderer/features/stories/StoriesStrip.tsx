import { useQueryClient } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { useMutedIds } from '#/renderer/features/safety'
import { focusWhenRendered } from '#/renderer/lib/browser/focus'
import { useNow } from '#/renderer/lib/core/clock-store'
import { onNetworkIdle } from '#/renderer/lib/core/schedule'
import { usePending } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { NEW_STORY, storyState, withStory } from './address'
import { AddButton, Bubble, EmptyOwnBubble } from './components/Bubble'
import { PendingStories } from './components/lazy-pending-stories'
import { STORY_KIND } from './keys'
import { firstToWatch, keepOrder, orderStrip, type StoryGroup } from './model'
import {
  prefetchMedia,
  prefetchThumbnail,
  type Story,
  signStory,
  useLiveStrip,
  useStripQuery,
} from './queries'
import { preloadStory } from './StoryModal'

/** Width of a cell, and padding of the row, in pixels. */
const CELL = 74
const EDGE = 3
/** Bubbles rendered beyond each side of the visible ones. */
const OVERSCAN = 4
/** The next page is fetched when this many bubbles are left. */
const READ_AHEAD = 12
/**
 * How many stories, in the order of the strip, get their links signed, and their thumbnails and pictures prefetched.
 */
const PREFETCHED_LINKS = 4
const PREFETCHED_THUMBNAILS = 8
const PREFETCHED_PICTURES = 2

/** The row above the feed: one bubble per member, see `orderStrip`. */
export function StoriesStrip() {
  const { id: me } = useMe()
  const muted = useMutedIds()
  const now = useNow()
  useLiveStrip()
  const { data: stories, hasNextPage, isFetching, isError, fetchNextPage } = useStripQuery()
  const groups = useSteadyOrder(
    useMemo(() => orderStrip(stories ?? [], { me, muted, now }), [stories, me, muted, now]),
  )
  const others = useMemo(() => groups.filter((group) => group.memberId !== me), [groups, me])
  const hasPending = usePending(STORY_KIND).length > 0
  const own = groups.find((group) => group.memberId === me)
  const scroller = useRef<HTMLUListElement>(null)
  useStripScroll(scroller)
  const { handleOpen, handleAdd, handlePreload } = useStoryActions(groups)
  usePrefetchedStories(others)

  // The first cell is the member's own, with or without a story.
  const count = others.length + 1
  const memberAt = useCallback((index: number) => others[index - 1]?.memberId ?? me, [others, me])
  // By member, not by index: new stories come first, and focus returns to the same bubble.
  const [tabStop, setTabStop] = useState(me)
  const current = others.findIndex(({ memberId }) => memberId === tabStop) + 1
  const virtualizer = useVirtualizer({
    horizontal: true,
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => CELL,
    getItemKey: memberAt,
    overscan: OVERSCAN,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
    paddingStart: EDGE,
    paddingEnd: EDGE,
  })
  const cells = virtualizer.getVirtualItems()
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    if (last >= count - READ_AHEAD && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [last, count, hasNextPage, isFetching, isError, fetchNextPage])

  /** Scrolls to a focused bubble, but not while it is pressed: the press would end on another one. */
  const reveal = useEffectEvent((index: number) => {
    const row = scroller.current
    if (row?.contains(document.activeElement) && !row.matches(':active')) virtualizer.scrollToIndex(index)
  })
  const focusCell = (index: number) => {
    setTabStop(memberAt(index))
    focusWhenRendered(() => scroller.current?.querySelector(`[data-index="${index}"] [data-bubble]`))
  }
  const handleFocus = (index: number) => {
    setTabStop(memberAt(index))
    reveal(index)
  }

  const handleKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    virtualizer.scrollToIndex(to)
    focusCell(to)
  }

  return (
    <section aria-label={texts.strip.label} className="min-w-0 flex-1">
      <ul
        ref={scroller}
        onKeyDown={handleKeyDown}
        className="relative h-22 overflow-x-auto overflow-y-hidden strip-fade [scrollbar-width:none]"
      >
        <li aria-hidden="true" style={{ width: virtualizer.getTotalSize() }} className="h-px" />
        {stories === undefined && <BubbleSkeletons />}
        {cells.map(({ key, index, start }) => {
          const group = index === 0 ? own : others[index - 1]
          return (
            <li
              key={key}
              data-index={index}
              onFocus={() => handleFocus(index)}
              style={{ insetInlineStart: start }}
              className="absolute top-1 w-16"
            >
              {group === undefined ? (
                <EmptyOwnBubble isTabStop={index === current} hasPending={hasPending} onAdd={handleAdd} />
              ) : (
                <Bubble
                  member={group.stories[0].author}
                  isSeen={group.memberId === me || group.isSeen}
                  isOwn={group.memberId === me}
                  hasPending={hasPending && group.memberId === me}
                  isTabStop={index === current}
                  onOpen={() => handleOpen(group)}
                  onPreload={() => handlePreload(group)}
                />
              )}
              {group?.memberId === me && <AddButton onAdd={handleAdd} />}
            </li>
          )
        })}
      </ul>
      {hasPending && <PendingStories />}
    </section>
  )
}

/** The groups, in the order in which they were first shown here. */
function useSteadyOrder(groups: StoryGroup<Story>[]): StoryGroup<Story>[] {
  const [{ last, shown }, setState] = useState({ last: groups, shown: groups })
  if (groups === last) return shown
  const next = keepOrder(groups, shown)
  setState({ last: groups, shown: next })
  return next
}

/** Placeholders of the other members' bubbles while they load. */
function BubbleSkeletons() {
  return [1, 2, 3, 4, 5].map((index) => (
    <li
      key={index}
      aria-hidden="true"
      style={{ insetInlineStart: EDGE + index * CELL }}
      className="absolute top-1 w-16"
    >
      <div className="mx-auto size-15 animate-breathe rounded-full bg-line" />
      <div className="mx-auto mt-2 h-2.5 w-12 animate-breathe rounded-sm bg-line" />
    </li>
  ))
}

function useStoryActions(groups: readonly StoryGroup<Story>[]) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  return {
    handleOpen: (group: StoryGroup<Story>) => {
      preloadStory(client, firstToWatch(group))
      const members = groups.map(({ memberId }) => memberId)
      void navigate(
        { search: withStory(search, firstToWatch(group).id) },
        { state: storyState(members, group.memberId) },
      )
    },
    handleAdd: () => void navigate({ search: withStory(search, NEW_STORY) }, { state: storyState() }),
    handlePreload: (group: StoryGroup<Story>) => preloadStory(client, firstToWatch(group)),
  }
}

/** Prefetches the stories most likely to be opened, once the network is idle; no videos. */
function usePrefetchedStories(groups: readonly StoryGroup<Story>[]): void {
  const client = useQueryClient()
  const prefetched = useRef('')
  const likely = groups.slice(0, PREFETCHED_THUMBNAILS).map(firstToWatch)
  const latest = useRef(likely)
  useEffect(() => {
    latest.current = likely
  })
  const ids = likely.map(({ id }) => id).join()
  useEffect(() => {
    if (ids === '' || ids === prefetched.current) return
    // In the same request as the pictures of the bubbles.
    for (const story of latest.current.slice(0, PREFETCHED_LINKS)) signStory(client, story)
    return onNetworkIdle(client, () => {
      prefetched.current = ids
      for (const story of latest.current) prefetchThumbnail(client, story)
      for (const story of latest.current.slice(0, PREFETCHED_PICTURES))
        if (story.kind === 'image') prefetchMedia(client, story)
    })
  }, [client, ids])
}

/** A press that moves further than this, in pixels, is a drag and not a click. */
const DRAG_FROM = 6

/** Scrolls a horizontal row with the wheel and by dragging it with the mouse. */
function useStripScroll(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const row = scroller.current
    if (row === null) return
    let start: { x: number; scrollLeft: number } | null = null
    let isDragged = false

    const handleWheel = (event: WheelEvent) => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return
      const before = row.scrollLeft
      row.scrollBy({ left: event.deltaY, behavior: 'instant' })
      // At the end of the row the page scrolls.
      if (row.scrollLeft !== before) event.preventDefault()
    }
    const handleDown = (event: PointerEvent) => {
      isDragged = false
      // Touch scrolls natively.
      start =
        event.pointerType === 'mouse' && event.button === 0
          ? { x: event.clientX, scrollLeft: row.scrollLeft }
          : null
    }
    const handleMove = (event: PointerEvent) => {
      if (start === null) return
      const moved = event.clientX - start.x
      if (!isDragged && Math.abs(moved) < DRAG_FROM) return
      isDragged = true
      row.scrollLeft = start.scrollLeft - moved
    }
    const handleUp = () => {
      start = null
    }
    const handleClick = (event: MouseEvent) => {
      if (!isDragged || event.detail === 0) return
      isDragged = false
      event.preventDefault()
      event.stopPropagation()
    }
    const handleDragStart = (event: Event) => event.preventDefault()

    row.addEventListener('wheel', handleWheel, { passive: false })
    row.addEventListener('pointerdown', handleDown)
    window.addEventListener('pointermove', handleMove)
    window.addEventListener('pointerup', handleUp)
    row.addEventListener('click', handleClick, { capture: true })
    row.addEventListener('dragstart', handleDragStart)
    return () => {
      row.removeEventListener('wheel', handleWheel)
      row.removeEventListener('pointerdown', handleDown)
      window.removeEventListener('pointermove', handleMove)
      window.removeEventListener('pointerup', handleUp)
      row.removeEventListener('click', handleClick, { capture: true })
      row.removeEventListener('dragstart', handleDragStart)
    }
  }, [scroller])
}
