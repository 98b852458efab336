import type { RefObject } from 'react'
import { useOnScreen } from '#/renderer/lib/useOnScreen'
import { SpinnerOrRetry } from './SpinnerOrRetry'

interface ListEndProps {
  /** The list's pages. */
  query: {
    dataUpdatedAt: number
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isError: boolean
    fetchNextPage: () => Promise<unknown>
  }
  /** What the list scrolls in; what holds null is the window. */
  scroller: RefObject<Element | null>
  /** Says what is being read. */
  label: string
}

/** The last item of a list that reads on as one scrolls near its end; none once all is read. */
export function ListEnd({ query, scroller, label }: ListEndProps) {
  const { dataUpdatedAt, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  const readOn = () => void fetchNextPage()
  const end = useOnScreen<HTMLLIElement>(scroller, () => {
    if (!isFetchingNextPage && !isError) readOn()
  })
  if (!hasNextPage) return null
  return (
    // A new one for each page, which is looked at anew.
    <li key={`${dataUpdatedAt} ${isError}`} ref={end} className="grid h-14 place-items-center">
      <SpinnerOrRetry hasFailed={isError} onRetry={readOn} size={18} label={label} />
    </li>
  )
}
