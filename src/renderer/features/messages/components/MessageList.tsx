import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import type { Conversation } from '../conversation-list'
import { NO_DIVIDER, nextDivider } from '../divider'
import type { History } from '../history'
import { useOlderMutation } from '../history-query'
import { useOutgoing } from '../outgoing'
import { layOut } from '../timeline'
import { unseenCount } from '../unseen'
import { TimelineItem } from './TimelineItem'

/** Rows kept above and below what is on screen. */
const OVERSCAN = 8
/** Older messages are asked for when this many rows are left above. */
const READ_AHEAD = 10
/** Within this many pixels of its end a list counts as being there. */
const END_REACH = 60
/** Height of a row that was not measured yet, in pixels. */
const ESTIMATED_HEIGHT = 58

interface MessageListProps {
  conversation: Conversation
  history: History
  /** Somebody is looking at it. */
  isLooking: boolean
}

/**
 * The messages, the latest at the end. Older ones come in above as one scrolls up, and what is on screen stays where
 * it is; at the end it stays at the end.
 */
export function MessageList({ conversation, history, isLooking }: MessageListProps) {
  const { id: me } = useMe()
  const { messages, hasOlder } = history
  const outgoing = useOutgoing(conversation.id)
  const [divider, setDivider] = useState(NO_DIVIDER)
  const moved = nextDivider(divider, { messages, me, isLooking })
  if (moved !== divider) setDivider(moved)

  const rows = useMemo(
    () => layOut({ me, messages, outgoing, dividerId: moved.beforeId, hasOlder, isOtherTyping: false }),
    [me, messages, outgoing, moved.beforeId, hasOlder],
  )

  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: OVERSCAN,
    paddingStart: 16,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_REACH,
  })

  // The first view is the end; before that nothing above it is of interest.
  const [isPlaced, setIsPlaced] = useState(false)
  useLayoutEffect(() => {
    virtualizer.scrollToEnd()
    setIsPlaced(true)
  }, [virtualizer])

  const items = virtualizer.getVirtualItems()
  const isAtEnd = virtualizer.isAtEnd(END_REACH)

  const older = useOlderMutation(conversation.id)
  const { mutate: readOlder, isPending: isReadingOlder, isError: hasFailed } = older
  const isNearStart = isPlaced && hasOlder && (items[0]?.index ?? READ_AHEAD) < READ_AHEAD
  useEffect(() => {
    if (isNearStart && !isReadingOlder && !hasFailed)
      readOlder(undefined, { onError: (cause) => logFailure('read older messages', cause) })
  }, [isNearStart, isReadingOlder, hasFailed, readOlder])

  // One's own message is looked for where it appears.
  const lastOutgoing = outgoing.at(-1)?.message.id
  useEffect(() => {
    if (lastOutgoing !== undefined) virtualizer.scrollToEnd()
  }, [lastOutgoing, virtualizer])

  const lastId = messages.at(-1)?.id ?? null
  const [seenId, setSeenId] = useState(lastId)
  if (isAtEnd && seenId !== lastId) setSeenId(lastId)
  const unseen = unseenCount(messages, seenId, me)

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={texts.messages.history}
        aria-live="off"
        className="flex h-full flex-col overflow-y-auto overflow-x-hidden overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        <div style={{ height: virtualizer.getTotalSize() }} className="relative mt-auto w-full shrink-0">
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                style={{ transform: `translateY(${item.start}px)` }}
                className="absolute inset-x-0 top-0 px-4 sm:px-5.5"
              >
                <TimelineItem row={row} conversation={conversation} />
              </div>
            )
          })}
        </div>
      </div>
      {isReadingOlder && (
        <div className="pointer-events-none absolute inset-x-0 top-2 grid place-items-center">
          <Spinner size={18} label={texts.messages.older} />
        </div>
      )}
      {!isAtEnd && isPlaced && <ToLatest unseen={unseen} onClick={() => virtualizer.scrollToEnd()} />}
    </div>
  )
}

function ToLatest({ unseen, onClick }: { unseen: number; onClick: () => void }) {
  const label = texts.messages.toLatest(unseen)
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="absolute end-4 bottom-3 flex h-9 min-w-9 animate-appear items-center justify-center gap-1.5 rounded-full border border-line bg-raised px-2.5 font-semibold text-[13px] shadow-card hover:bg-sunk"
    >
      {unseen > 0 && <span className="text-accent">{unseen}</span>}
      <ArrowDown aria-hidden="true" className="size-4.5" />
    </button>
  )
}
