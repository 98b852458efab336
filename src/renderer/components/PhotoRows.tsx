import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { focusWhenRendered, useFocusInList } from '#/renderer/lib/browser/focus'
import { listenForShortcuts } from '#/renderer/lib/browser/shortcuts'
import { barHeight } from '#/renderer/lib/layout/layout'
import {
  type Direction,
  GAP,
  justifiedRows,
  neighbour,
  rowOf,
  squareRows,
  targetHeight,
} from '#/renderer/lib/layout/photo-rows'
import { useModalReturn } from '#/renderer/lib/navigation/modal-route'
import { useListScroll } from '#/renderer/lib/navigation/useListScroll'
import { usePagePosition } from '#/renderer/lib/navigation/usePagePosition'
import type { ScrollPosition } from '#/renderer/lib/navigation/useSavedScroll'
import { SpinnerOrRetry } from './SpinnerOrRetry'

const COLUMNS = 3
/** Rows rendered above and below the viewport. */
const OVERSCAN = 3
/** The next page is loaded when this many rows are left below. */
const READ_AHEAD = 4

export type PhotoLayout = 'squares' | 'justified'

export interface PhotoItem {
  id: string
  /** Width divided by height. */
  ratio: number
}

/** What a list of photos reads of the query that loads it. */
export interface PhotoQuery {
  hasNextPage: boolean
  isFetching: boolean
  isError: boolean
  fetchNextPage: () => Promise<unknown>
}

interface PhotoRowsProps<T extends PhotoItem> {
  /** Names the list, for its scroll position. */
  name: readonly string[]
  items: readonly T[]
  layout: PhotoLayout
  query: PhotoQuery
  /** From `useReadAhead`. */
  onReadOn: (() => void) | undefined
  /** What is loading at the end of the list. */
  loading: string
  /** The accessible name of the list. */
  label?: string
  /** Renders an item, which contains one link. The width is in pixels. */
  children: (item: T, width: number) => ReactNode
}

/**
 * A virtual list of photos: squares in three columns, or justified rows. Sizes are known before the photos are loaded, so nothing moves.
 * Arrow keys, j and k move between the photos. The focus returns to the post that the light table showed last.
 */
export function PhotoRows<T extends PhotoItem>({
  name,
  items,
  layout,
  query,
  onReadOn,
  loading,
  label,
  children,
}: PhotoRowsProps<T>) {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const ids = useMemo(() => items.map(({ id }) => id), [items])
  const list = useRef<HTMLUListElement>(null)
  const handleFocus = useFocusInList(list, ids)
  const place = usePagePosition(list)
  const { top, width } = place ?? { top: 0, width: 0 }
  const rows = useMemo(() => {
    if (width === 0) return []
    if (layout === 'squares') return squareRows(items.length, width, COLUMNS)
    return justifiedRows(
      items.map(({ ratio }) => ratio),
      width,
      targetHeight(width),
    )
  }, [items, layout, width])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.height ?? 0) + GAP,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: barHeight(),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes of the rows have changed.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rows])

  const startOf = (index: number) => top + (rows[rowOf(rows, index)]?.top ?? 0)
  const positionAt = (offset: number): ScrollPosition | null => {
    const edge = offset + barHeight()
    const row = rows.find((each) => top + each.top + each.height > edge)
    const id = ids[row?.first ?? -1]
    return isAtTop(offset) || row === undefined || id === undefined
      ? null
      : { id, top: top + row.top - offset }
  }
  useListScroll({
    list: name,
    ids,
    isReady: rows.length > 0,
    query,
    positionAt,
    startOf,
  })
  useAnchor(`${layout} ${width}`, {
    positionNow: () => (rows.length === 0 ? null : positionAt(virtualizer.scrollOffset ?? 0)),
    scrollTo: ({ id, top: distance }) => window.scrollTo({ top: startOf(ids.indexOf(id)) - distance }),
  })

  const focus = (index: number) => {
    const find = () => list.current?.querySelector(`[data-item="${ids[index]}"]`)
    if (!isInView(find())) virtualizer.scrollToIndex(rowOf(rows, index), { align: 'auto' })
    focusWhenRendered(() => linkIn(find()))
  }
  useModalReturn('post', (id) => {
    const index = ids.indexOf(id)
    if (index !== -1) focus(index)
  })
  const move = useEffectEvent((direction: Direction) => {
    const [current, isFocused] = currentItem(list.current)
    const index = ids.indexOf(current ?? '')
    // The first press goes to the photo on screen.
    focus(isFocused ? neighbour(rows, index, direction, ids.length) : Math.max(0, index))
  })
  useEffect(() => listenForShortcuts({ j: () => move('right'), k: () => move('left') }), [])
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = directionOf(event)
    if (direction === null) return
    event.preventDefault()
    move(direction)
  }

  const shown = virtualizer.getVirtualItems().flatMap(({ index }) => rows[index] ?? [])
  const lastRow = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  // A running refetch would be cancelled.
  const isNearEnd =
    place !== null && hasNextPage && !isFetching && !isError && lastRow >= rows.length - READ_AHEAD
  const readsAhead = isNearEnd && onReadOn === undefined
  useEffect(() => {
    if (readsAhead) void fetchNextPage()
  }, [readsAhead, fetchNextPage])

  const last = rows.at(-1)
  return (
    <>
      <ul
        ref={list}
        aria-label={label}
        onFocus={handleFocus}
        onKeyDown={handleKeyDown}
        style={{ height: last === undefined ? 0 : last.top + last.height }}
        className="relative [--side:1] rtl:[--side:-1]"
      >
        {shown.flatMap(({ first, top: y, height, cells }) =>
          cells.map(({ left, width: cellWidth }, column) => {
            const item = items[first + column]
            return (
              item && (
                <li
                  key={item.id}
                  data-item={item.id}
                  style={{
                    width: cellWidth,
                    height,
                    // New posts at the start move the others: a transform is no layout shift.
                    transform: `translate(calc(var(--side) * ${left}px), ${y}px)`,
                  }}
                  className="absolute start-0 top-0"
                >
                  {children(item, layout === 'squares' ? cellWidth * Math.max(1, item.ratio) : cellWidth)}
                </li>
              )
            )
          }),
        )}
      </ul>
      {hasNextPage && (
        <div className="grid h-16 place-items-center">
          <SpinnerOrRetry hasFailed={isError} onRetry={fetchNextPage} onReadOn={onReadOn} label={loading} />
        </div>
      )}
    </>
  )
}

/** Whether the page is scrolled to its top. `offset` in pixels. */
export function isAtTop(offset: number): boolean {
  return offset <= 8
}

interface Anchor {
  /** The position before a change. */
  positionNow: () => ScrollPosition | null
  scrollTo: (position: ScrollPosition) => void
}

/** Keeps the first photo on screen in its place when the rows change. */
function useAnchor(shape: string, { positionNow, scrollTo }: Anchor): void {
  const scroll = useEffectEvent(scrollTo)
  const last = useRef(positionNow)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the shape moves the rows.
  useLayoutEffect(() => {
    const position = last.current()
    if (position !== null) scroll(position)
  }, [shape])
  useLayoutEffect(() => {
    last.current = positionNow
  })
}

function linkIn(item: Element | null | undefined): HTMLElement | null {
  return item?.querySelector<HTMLElement>('a') ?? null
}

/** Whether an item is rendered, and no part of it is outside the window or behind the top bar. */
function isInView(item: Element | null | undefined): boolean {
  if (item == null) return false
  const { top, bottom } = item.getBoundingClientRect()
  return top >= barHeight() && bottom <= window.innerHeight
}

/** The id of the focused item, or else of the first one on screen; and whether it has the focus. */
function currentItem(list: Element | null): [id: string | null, isFocused: boolean] {
  const idOf = (item: Element | null | undefined) => item?.getAttribute('data-item') ?? null
  const focused = document.activeElement?.closest('[data-item]')
  if (focused != null && list?.contains(focused)) return [idOf(focused), true]
  const items = [...(list?.querySelectorAll('[data-item]') ?? [])]
  const edge = barHeight() + 28
  return [idOf(items.find((item) => item.getBoundingClientRect().bottom > edge)), false]
}

/** The direction of an arrow key as it is read; null for other keys. */
function directionOf(event: KeyboardEvent<HTMLElement>): Direction | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, currentTarget } = event
  if (altKey || ctrlKey || metaKey || shiftKey) return null
  if (key === 'ArrowUp') return 'up'
  if (key === 'ArrowDown') return 'down'
  const isRtl = getComputedStyle(currentTarget).direction === 'rtl'
  if (key === 'ArrowLeft') return isRtl ? 'right' : 'left'
  if (key === 'ArrowRight') return isRtl ? 'left' : 'right'
  return null
}
