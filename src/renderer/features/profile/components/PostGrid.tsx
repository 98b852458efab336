import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { PageSpinner, Spinner } from '#/renderer/components/Spinner'
import { texts } from '#/renderer/lib/texts'
import { type GridKind, type GridPost, useGridQuery } from '../grids'
import { EmptyGrid } from './EmptyGrid'
import { GridCell } from './GridCell'

const COLUMNS = 3
/** Between cells, in pixels. */
const GAP = 6
/** Height of a row that was not measured yet, in pixels. */
const ESTIMATED_ROW = 300
/** Rows kept in the page above and below what is on screen. */
const OVERSCAN = 3
/** The next page is asked for when this many rows are left below. */
const READ_AHEAD = 4

const NONE: GridPost[] = []

interface PostGridProps {
  kind: GridKind
  memberId: string
  isOwn: boolean
}

/** Posts in three columns; only the rows on screen and a few around them are in the page, however many there are. */
export function PostGrid({ kind, memberId, isOwn }: PostGridProps) {
  const query = useGridQuery(kind, memberId)
  const { data: posts = NONE, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const ids = useMemo(() => posts.map(({ id }) => id), [posts])
  const list = useRef<HTMLUListElement>(null)
  const rowCount = Math.ceil(posts.length / COLUMNS)
  const { top, row } = usePlace(list, posts.length > 0)
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => row,
    overscan: OVERSCAN,
    scrollMargin: top,
  })
  useLayoutEffect(() => {
    if (row > 0) virtualizer.measure()
  }, [virtualizer, row])

  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  const isNearEnd = hasNextPage && !isFetchingNextPage && !isError && lastShown >= rowCount - READ_AHEAD
  useEffect(() => {
    if (isNearEnd) void fetchNextPage()
  }, [isNearEnd, fetchNextPage])

  if (isPending) return <PageSpinner />
  if (posts.length === 0 && !hasNextPage) return <EmptyGrid kind={kind} isOwn={isOwn} />
  return (
    <>
      {/* Places and heights follow from the width by CSS alone: right before anything is measured, and after. */}
      <ul
        ref={list}
        style={{ paddingBottom: `calc(${rowCount} * (100% + ${GAP}px) / ${COLUMNS} - ${GAP}px)` }}
        className="relative"
      >
        {rows.flatMap(({ index }) =>
          posts.slice(index * COLUMNS, (index + 1) * COLUMNS).map((post, column) => (
            <li
              key={post.id}
              style={{
                width: `calc((100% - ${(COLUMNS - 1) * GAP}px) / ${COLUMNS})`,
                left: `calc(${column} * (100% + ${GAP}px) / ${COLUMNS})`,
                marginTop: `calc(${index} * (100% + ${GAP}px) / ${COLUMNS})`,
              }}
              className="absolute top-0 aspect-square"
            >
              <GridCell post={post} list={ids} />
            </li>
          )),
        )}
      </ul>
      {hasNextPage && (
        <div className="grid h-16 place-items-center">
          {isError ? (
            <Button onClick={() => void fetchNextPage()}>{texts.tryAgain}</Button>
          ) : (
            <Spinner label={texts.profile.morePosts} />
          )}
        </div>
      )}
    </>
  )
}

/** How far the grid lies from the page's top and how high its rows are, in pixels. */
function usePlace(element: RefObject<HTMLElement | null>, isShown: boolean) {
  const [place, setPlace] = useState({ top: 0, row: ESTIMATED_ROW })
  useLayoutEffect(() => {
    if (!isShown) return
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (box === undefined) return
      const next = { top: Math.round(box.top + window.scrollY), row: (box.width + GAP) / COLUMNS }
      setPlace((last) => (last.top === next.top && last.row === next.row ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element, isShown])
  return place
}
