import { useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import {
  type ComponentProps,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigationType } from 'react-router-dom'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { PostCard } from '#/renderer/features/post'
import { focusWhenRendered } from '#/renderer/lib/browser/focus'
import { listenForShortcuts } from '#/renderer/lib/browser/shortcuts'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { barHeight } from '#/renderer/lib/layout/layout'
import { useModalReturn } from '#/renderer/lib/navigation/modal-route'
import { usePagePosition } from '#/renderer/lib/navigation/usePagePosition'
import { useSavedScroll } from '#/renderer/lib/navigation/useSavedScroll'
import type { OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import type { FeedKind } from '../keys'
import type { NewPost } from '../mutations'
import { savedPosition, savePosition } from '../position'
import { removeFromFeed } from '../queries'
import { PendingPost } from './lazy-pending-post'

/** Scroll state of the feed, restored on return. */
interface FeedView {
  /** The first post at that time. If it has changed, the offset is no longer valid. */
  first: string | undefined
  /** Scroll offset in pixels. */
  offset: number
  /** Measured heights. */
  measurements: VirtualItem[]
}

const lastViews = onePerClient((): Partial<Record<FeedKind, FeedView>> => ({}))

/** Space above a post that is scrolled to, below the top bar where there is one, in pixels. */
const SPACE_ABOVE = 15
const headerSpace = () => barHeight() + SPACE_ABOVE

/** Estimated height of an unmeasured post, in pixels. */
const ESTIMATED_HEIGHT = 720
/** Posts rendered above and below the viewport. */
const OVERSCAN = 2
/** The next page is loaded when this many posts are left below. */
const READ_AHEAD = 5

interface FeedListProps {
  kind: FeedKind
  ids: readonly string[]
  /** The member's posts that are not on the server yet, newest first, above all others. */
  pending: readonly OutboxRow<NewPost>[]
  /**
   * When the pages last changed, in milliseconds since 1970. A change may add no ids, but must still trigger the next
   * page: a page with only muted members, or the newest posts, which cancel a fetch of the next page.
   */
  loadedAt: number
  hasMore: boolean
  isReading: boolean
  /** The next page failed to load. */
  hasFailed: boolean
  /** Called near the end of the list. Must be stable across renders. */
  onEnd: () => Promise<unknown>
  /** From `useReadAhead`. */
  onReadOn: (() => void) | undefined
}

/** A virtual list of posts: only posts near the viewport are rendered. */
export function FeedList({
  kind,
  ids: stored,
  pending,
  loadedAt,
  hasMore,
  isReading,
  hasFailed,
  onEnd,
  onReadOn,
}: FeedListProps) {
  const client = useQueryClient()
  // A post keeps its id and its place when the server has stored it.
  const ids = useMemo(() => [...new Set([...pending.map(({ id }) => id), ...stored])], [pending, stored])
  const isBack = useNavigationType() === 'POP'
  const [view] = useState(() => {
    const last = isBack ? lastViews(client)[kind] : undefined
    return last?.first === ids[0] ? last : undefined
  })
  const list = useRef<HTMLDivElement>(null)
  const overscan = useOverscan(view !== undefined)
  const top = usePagePosition(list)?.top ?? 0

  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan,
    scrollMargin: top,
    initialRect: windowRect(),
    scrollPaddingStart: headerSpace(),
    ...(view && { initialOffset: view.offset, initialMeasurementsCache: view.measurements }),
  })

  useLayoutEffect(() => {
    if (view !== undefined) window.scrollTo({ top: view.offset })
  }, [view])
  const [isRestored] = useState(() => isBack && lastViews(client)[kind] === undefined)
  useSavedScroll({
    isRestored,
    saved: () => savedPosition(client, kind),
    positionAt: (offset) => {
      // At the beginning there is no post to return to: new ones come above it.
      if (offset <= headerSpace()) return null
      const item = virtualizer.getVirtualItems().find(({ end }) => end > offset + headerSpace())
      const id = ids[item?.index ?? -1]
      return item === undefined || id === undefined ? undefined : { id, top: item.start - offset }
    },
    startOf: (id) => virtualizer.measurementsCache[ids.indexOf(id)]?.start,
    save: (position) => savePosition(client, kind, position),
  })

  const first = useRef(ids[0])
  useEffect(() => {
    first.current = ids[0]
  })
  useEffect(() => {
    return () => {
      lastViews(client)[kind] = {
        first: first.current,
        offset: virtualizer.scrollOffset ?? 0,
        measurements: virtualizer.takeSnapshot(),
      }
    }
  }, [client, kind, virtualizer])

  const focusPost = (index: number) => {
    virtualizer.scrollToIndex(index, { align: 'start' })
    focusWhenRendered(() => document.querySelector(`[data-index="${index}"] [data-post]`))
  }
  useFeedShortcuts({ count: ids.length, focusPost })
  useModalReturn('post', (id) => {
    const index = ids.indexOf(id)
    if (index !== -1) focusPost(index)
  })

  const handleGone = useCallback((id: string) => removeFromFeed(client, id), [client])

  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  const readsAhead = hasMore && onReadOn === undefined
  useEffect(() => {
    if (readsAhead && loadedAt > 0 && lastShown >= ids.length - READ_AHEAD) void onEnd()
  }, [readsAhead, lastShown, ids.length, loadedAt, onEnd])

  return (
    <>
      <div
        ref={list}
        role="feed"
        aria-label={texts.feed.label}
        aria-busy={isReading}
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
            <FeedItem
              id={ids[item.index] ?? ''}
              pending={pending}
              position={item.index + 1}
              setSize={hasMore ? -1 : ids.length}
              list={stored}
              onGone={handleGone}
            />
          </div>
        ))}
      </div>
      <div className="grid h-16 place-items-center text-[13.5px] text-quiet">
        {hasMore ? (
          <SpinnerOrRetry
            hasFailed={hasFailed}
            onRetry={onEnd}
            onReadOn={onReadOn}
            label={texts.feed.loadingMore}
          />
        ) : (
          texts.feed.end
        )}
      </div>
    </>
  )
}

/** Renders the posts on screen first, and those around them after the first paint, because they take as long. */
function useOverscan(isBack: boolean): number {
  const [overscan, setOverscan] = useState(isBack ? OVERSCAN : 0)
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setOverscan(OVERSCAN)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return overscan
}

/** For the first render; afterwards the virtualizer observes the window. */
function windowRect() {
  return { width: globalThis.innerWidth, height: globalThis.innerHeight }
}

interface FeedItemProps extends ComponentProps<typeof PostCard> {
  pending: readonly OutboxRow<NewPost>[]
}

function FeedItem({ pending, ...card }: FeedItemProps) {
  const row = pending.find(({ id }) => id === card.id)
  if (row === undefined) return <PostCard {...card} />
  return <PendingPost row={row} position={card.position} setSize={card.setSize} />
}

interface FeedShortcuts {
  count: number
  focusPost: (index: number) => void
}

function indexOf(article: Element): number {
  return Number(article.closest('[data-index]')?.getAttribute('data-index') ?? -1)
}

/** The focused post, or else the first one that is not above the viewport. */
function currentPost(): Element | undefined {
  const focused = document.activeElement?.closest('[data-post]')
  if (focused != null) return focused
  return [...document.querySelectorAll('[data-post]')].find(
    (article) => article.getBoundingClientRect().bottom > headerSpace() * 1.5,
  )
}

/** j and k move between posts; l, s and c like, save and comment on the current one. */
function useFeedShortcuts({ count, focusPost }: FeedShortcuts): void {
  const move = useEffectEvent((step: 1 | -1) => {
    const current = currentPost()
    const isFocused = current?.contains(document.activeElement) ?? false
    // The first press of j goes to the post on screen.
    const from = current === undefined ? -1 : indexOf(current)
    focusPost(Math.min(count - 1, Math.max(0, isFocused || step === -1 ? from + step : from)))
  })

  useEffect(() => {
    const act = (action: string) => {
      currentPost()?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click()
    }
    return listenForShortcuts({
      j: () => move(1),
      k: () => move(-1),
      l: () => act('like'),
      s: () => act('save'),
      c: () => {
        // Focus the field instead of pressing the button, which would close open comments.
        const field = currentPost()?.querySelector<HTMLElement>('[data-comment-field]')
        if (field == null) act('comment')
        else field.focus()
      },
    })
  }, [])
}
