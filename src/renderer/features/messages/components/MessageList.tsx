import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { isTransient } from '#/renderer/lib/query-client'
import { texts } from '#/renderer/lib/texts'
import type { MessageActions } from '../actions'
import type { Conversation } from '../conversation'
import { NO_DIVIDER, nextDivider } from '../divider'
import type { History } from '../history'
import { useOlderMutation } from '../history-query'
import { useOutgoing } from '../outgoing'
import { layOut, type TimelineRow } from '../timeline'
import { laterOf, othersAfter } from '../unseen'
import { useOther } from '../useOther'
import { Arrivals } from './Arrivals'
import { TimelineItem } from './TimelineItem'
import { ToLatest } from './ToLatest'
import { useMessageMenu } from './useMessageMenu'
import { useScrollHold } from './useScrollHold'

/** Rows kept above and below what is on screen. */
const OVERSCAN = 8
/** Older messages are asked for when this many rows are left above. */
const READ_AHEAD = 10
/** How long after a transient failure older messages are read again, in milliseconds. */
const READ_AGAIN_MS = 5_000
/** Within this many pixels of its end a list counts as being there. */
const END_REACH = 60
/** Height of a row that was not measured yet, in pixels. */
const ESTIMATED_HEIGHT = 58

interface MessageListProps {
  conversation: Conversation
  history: History
  /** Somebody is looking at it. */
  isLooking: boolean
  /** It was read since it was opened: what is there now is what one finds. */
  isFresh: boolean
  isOtherTyping: boolean
}

function hasMenu(row: TimelineRow | undefined): boolean {
  return row?.kind === 'message' && row.delivery === 'sent' && row.message.deleted_at === null
}

/** The last message among the first `count` rows that is on the server. */
function latestMessage(rows: readonly TimelineRow[], count: number): string | null {
  const row = rows.slice(0, count).findLast((each) => each.kind === 'message' && each.delivery === 'sent')
  return row?.key ?? null
}

/**
 * The messages, the latest at the end. Older ones come in above as one scrolls up, and what is on screen stays where
 * it is; at the end it stays at the end. It opens where the unread ones begin.
 */
export function MessageList({ conversation, history, isLooking, isFresh, isOtherTyping }: MessageListProps) {
  const { id: me } = useMe()
  const { name: otherName } = useOther(conversation)
  const { messages, hasOlder } = history
  const outgoing = useOutgoing(conversation.id)
  const [divider, setDivider] = useState(NO_DIVIDER)
  // The read that makes it fresh still brings what was there when it was opened.
  const [isOpening, setIsOpening] = useState(true)
  const moved = nextDivider(divider, { messages, hasOlder, me, isLooking, isOpening })
  if (moved !== divider) setDivider(moved)
  if (isOpening && isFresh) setIsOpening(false)

  const rows = useMemo(
    () => layOut({ me, messages, outgoing, divider: moved, hasOlder, isOtherTyping }),
    [me, messages, outgoing, moved, hasOlder, isOtherTyping],
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

  const { goToEnd, goToRow, isHeld, isPlacing } = useScrollHold(scroller, virtualizer, END_REACH)
  // The first view is where the unread begin, else the end; before that nothing above it is of interest.
  const [isPlaced, setIsPlaced] = useState(false)
  const dividerIndex = rows.findIndex(({ kind }) => kind === 'divider')
  /** The latest message that was on screen. */
  const [seenId, setSeenId] = useState<string | null>(null)
  const placedFresh = useRef<boolean | null>(null)
  useLayoutEffect(() => {
    if (placedFresh.current === isFresh) return
    placedFresh.current = isFresh
    setIsPlaced(true)
    if (!isHeld()) return
    setSeenId(latestMessage(rows, dividerIndex === -1 ? rows.length : dividerIndex))
    if (dividerIndex === -1) goToEnd()
    else goToRow(dividerIndex)
  }, [isFresh, rows, dividerIndex, isHeld, goToEnd, goToRow])

  const items = virtualizer.getVirtualItems()
  const isAtEnd = virtualizer.isAtEnd(END_REACH)

  const { mutate, isPending: isReadingOlder, isError: hasFailed, error } = useOlderMutation(conversation.id)
  const readOlder = useCallback(() => mutate(), [mutate])
  const isNearStart = isPlaced && hasOlder && (items[0]?.index ?? READ_AHEAD) < READ_AHEAD
  useEffect(() => {
    if (isNearStart && !isReadingOlder && !hasFailed) readOlder()
  }, [isNearStart, isReadingOlder, hasFailed, readOlder])
  useEffect(() => {
    if (!isTransient(error)) return undefined
    const timer = setTimeout(readOlder, READ_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [error, readOlder])

  // One's own message is looked for where it appears.
  const lastOutgoing = outgoing.at(-1)?.message.id
  useEffect(() => {
    if (lastOutgoing !== undefined) goToEnd()
  }, [lastOutgoing, goToEnd])

  if (isPlaced && !isPlacing) {
    const shownTo = isAtEnd ? rows.length : (virtualizer.range?.endIndex ?? -1) + 1
    const latest = laterOf(messages, seenId, latestMessage(rows, shownTo))
    if (latest !== seenId) setSeenId(latest)
  }

  const [wantedId, setWantedId] = useState<string | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  useEffect(() => {
    if (wantedId === null || isReadingOlder) return
    const index = rows.findIndex(({ key }) => key === wantedId)
    if (index === -1 && hasOlder && !hasFailed) return readOlder()
    if (index !== -1) {
      virtualizer.scrollToIndex(index, { align: 'center' })
      setShownId(wantedId)
    }
    setWantedId(null)
  }, [wantedId, rows, hasOlder, hasFailed, isReadingOlder, readOlder, virtualizer])

  const menu = useMessageMenu(conversation, scroller)
  const actions: MessageActions = {
    openMenu: menu.open,
    show: (id) => {
      setShownId(null)
      setWantedId(id)
    },
  }

  const [tabStopKey, setTabStopKey] = useState<string | null>(null)
  const lastWithMenu = rows.findLast(hasMenu)?.key ?? null
  const tabStop = rows.some((row) => row.key === tabStopKey && hasMenu(row)) ? tabStopKey : lastWithMenu
  const handleKeyDown = (event: KeyboardEvent) => {
    const isOption = event.target instanceof HTMLElement && 'messageOptions' in event.target.dataset
    if (!isOption || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const from = rows.findIndex(({ key }) => key === tabStop)
    const index =
      event.key === 'ArrowUp'
        ? rows.findLastIndex((row, at) => at < from && hasMenu(row))
        : rows.findIndex((row, at) => at > from && hasMenu(row))
    const key = rows[index]?.key
    if (key === undefined) return
    setTabStopKey(key)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    requestAnimationFrame(() => menu.focusButton(key))
  }

  const handleContextMenu = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    // On a link the system's own menu is the useful one.
    if (event.target.closest('a') !== null) return
    const id = event.target.closest('[data-menu]')?.getAttribute('data-menu')
    const message = messages.find((each) => each.id === id)
    if (message === undefined) return
    event.preventDefault()
    menu.open(message, event.clientX, event.clientY)
  }

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={texts.messages.history}
        // What arrives is told by Arrivals: rows come and go here as one scrolls.
        aria-live="off"
        onKeyDown={handleKeyDown}
        onContextMenu={handleContextMenu}
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
                className={`absolute inset-x-0 top-0 px-4 sm:px-5.5 ${row.key === shownId ? 'animate-shown' : ''}`}
              >
                <TimelineItem
                  row={row}
                  conversation={conversation}
                  otherName={otherName}
                  actions={actions}
                  isTabStop={row.key === tabStop}
                />
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
      {isPlaced && !isAtEnd && (
        <ToLatest unseen={othersAfter(messages, seenId, me).length} onClick={goToEnd} />
      )}
      <Arrivals messages={messages} name={otherName} isOtherTyping={isOtherTyping} />
      {menu.element}
    </div>
  )
}
