import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { PageSpinner } from '#/renderer/components/Spinner'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { texts } from '#/renderer/lib/texts'
import { usePagePosition } from '#/renderer/lib/usePagePosition'
import { type GridKind, type GridPost, useGridQuery } from '../grids'
import { EmptyGrid } from './EmptyGrid'
import { GridCell } from './GridCell'

const COLUMNS = 3
/** Gap between cells, in pixels. */
const GAP = 6
/** Estimated height of an unmeasured row, in pixels. */
const ESTIMATED_ROW = 300
/** Rows rendered above and below the viewport. */
const OVERSCAN = 3
/** The next page is loaded when this many rows are left below. */
const READ_AHEAD = 4

const NONE: GridPost[] = []

interface PostGridProps {
  kind: GridKind
  memberId: string
  isOwn: boolean
}

/** A virtual grid of posts in three columns. */
export function PostGrid({ kind, memberId, isOwn }: PostGridProps) {
  const query = useGridQuery(kind, memberId)
  const { data: posts = NONE, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const ids = useMemo(() => posts.map(({ id }) => id), [posts])
  const list = useRef<HTMLUListElement>(null)
  const rowCount = Math.ceil(posts.length / COLUMNS)
  const place = usePagePosition(list, posts.length > 0)
  const row = place === null ? ESTIMATED_ROW : (place.width + GAP) / COLUMNS
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => row,
    overscan: OVERSCAN,
    scrollMargin: place?.top ?? 0,
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
          <SpinnerOrRetry
            hasFailed={isError}
            onRetry={() => void fetchNextPage()}
            label={texts.profile.morePosts}
          />
        </div>
      )}
    </>
  )
}
