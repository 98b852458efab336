import { useQueryClient } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { useMutedIds } from '#/renderer/features/safety'
import { useServerNow } from '#/renderer/lib/clock-store'
import { focusWhenRendered } from '#/renderer/lib/focus'
import { onNetworkIdle } from '#/renderer/lib/schedule'
import { texts } from '#/renderer/lib/texts'
import { NEW_STORY, storyState, withStory } from './address'
import { prefetchMedia, prefetchThumbnail } from './media'
import { type Story, useStripQuery } from './queries'
import { approachStory } from './story-viewer'
import { AddButton, Bubble, EmptyOwnBubble } from './strip/Bubble'
import { firstToWatch, orderStrip, type StoryGroup } from './strip/strip-order'
import { useLiveStrip } from './strip/useLiveStrip'
import { useStripScroll } from './strip/useStripScroll'

/** From one bubble to the next, and the first one's distance from the edge, in pixels. */
const CELL = 90
const EDGE = 3
/** Bubbles kept in the page on each side of what is on screen. */
const OVERSCAN = 4
/** The next page is asked for when this many bubbles are left. */
const READ_AHEAD = 12
/** Stories whose stills, and whose pictures, are there before anybody asks. */
const STILLS_AHEAD = 8
const PICTURES_AHEAD = 2

/** Above the posts: one bubble a member, one's own first, then those with something new. */
export function StoriesStrip() {
  const { id: me } = useMe()
  const muted = useMutedIds()
  const now = useServerNow()
  useLiveStrip()
  const { data: stories, hasNextPage, isFetching, isError, fetchNextPage } = useStripQuery()
  const groups = useMemo(() => orderStrip(stories ?? [], { me, muted, now }), [stories, me, muted, now])
  const others = useMemo(() => groups.filter((group) => group.memberId !== me), [groups, me])
  const own = groups.find((group) => group.memberId === me)
  const scroller = useRef<HTMLUListElement>(null)
  useStripScroll(scroller)
  const { handleOpen, handleAdd, handleApproach } = useWaysIn(groups)
  usePreparedStories(others)

  // The first cell is one's own, with or without a story.
  const count = others.length + 1
  const memberAt = useCallback((index: number) => others[index - 1]?.memberId ?? me, [others, me])
  // By member, not by place: seen stories move to the end, and the focus comes back to the bubble it left.
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

  const handleKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    setTabStop(memberAt(to))
    virtualizer.scrollToIndex(to)
    focusWhenRendered(() => scroller.current?.querySelector(`[data-index="${to}"] [data-bubble]`))
  }

  return (
    <section aria-label={texts.stories.label} className="pb-4">
      <ul
        ref={scroller}
        onKeyDown={handleKeyDown}
        className="relative h-27 overflow-x-auto overflow-y-hidden strip-fade [scrollbar-width:none]"
      >
        <li aria-hidden="true" style={{ width: virtualizer.getTotalSize() }} className="h-px" />
        {stories === undefined && <BubbleSkeletons />}
        {cells.map(({ key, index, start }) => {
          const group = index === 0 ? own : others[index - 1]
          return (
            <li
              key={key}
              data-index={index}
              onFocus={() => setTabStop(memberAt(index))}
              style={{ insetInlineStart: start }}
              className="absolute top-1.5 w-18"
            >
              {group === undefined ? (
                <EmptyOwnBubble isTabStop={index === current} onAdd={handleAdd} />
              ) : (
                <Bubble
                  username={group.stories[0].author.username}
                  avatarUrl={group.stories[0].author.avatar_url}
                  isSeen={group.memberId === me || group.isSeen}
                  isOwn={group.memberId === me}
                  isTabStop={index === current}
                  onOpen={() => handleOpen(group)}
                  onApproach={() => handleApproach(group)}
                />
              )}
              {group?.memberId === me && <AddButton onAdd={handleAdd} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Stand in for the others' bubbles while they are read. */
function BubbleSkeletons() {
  return [1, 2, 3, 4, 5].map((index) => (
    <li
      key={index}
      aria-hidden="true"
      style={{ insetInlineStart: EDGE + index * CELL }}
      className="absolute top-1.5 w-18"
    >
      <div className="mx-auto size-18 animate-breathe rounded-full bg-line" />
      <div className="mx-auto mt-2.5 h-2.5 w-12 animate-breathe rounded-sm bg-line" />
    </li>
  ))
}

/** What the bubbles do: open stories over the page, lead to the form, load ahead. */
function useWaysIn(groups: readonly StoryGroup<Story>[]) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  return {
    handleOpen: (group: StoryGroup<Story>) => {
      approachStory(client, firstToWatch(group).id)
      const members = groups.map(({ memberId }) => memberId)
      void navigate(
        { search: withStory(search, firstToWatch(group).id) },
        { state: storyState(members, group.memberId) },
      )
    },
    handleAdd: () => void navigate({ search: withStory(search, NEW_STORY) }, { state: storyState() }),
    handleApproach: (group: StoryGroup<Story>) => approachStory(client, firstToWatch(group).id),
  }
}

/** Once the page is quiet, loads what one is likely to open first; videos only when they are meant. */
function usePreparedStories(groups: readonly StoryGroup<Story>[]): void {
  const client = useQueryClient()
  const prepared = useRef('')
  const likely = groups.slice(0, STILLS_AHEAD).map(firstToWatch)
  const stills = likely.map(({ id }) => id).join()
  const pictures = likely
    .slice(0, PICTURES_AHEAD)
    .filter(({ kind }) => kind === 'image')
    .map(({ id }) => id)
    .join()
  useEffect(() => {
    if (stills === '' || stills === prepared.current) return
    return onNetworkIdle(client, () => {
      prepared.current = stills
      for (const id of stills.split(',')) prefetchThumbnail(client, id)
      for (const id of pictures.split(',')) if (id !== '') prefetchMedia(client, id)
    })
  }, [client, stills, pictures])
}
