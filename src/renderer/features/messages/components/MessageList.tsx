import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { setUnfolded } from '#/renderer/lib/layout/unfolded-store'
import { texts } from '#/renderer/lib/texts'
import { useWantedMessage } from '../address'
import { useEdits } from '../editing-store'
import type { Message } from '../message'
import { type Conversation, summarize } from '../model/conversation'
import { withSavedEdits } from '../model/editing'
import { type History, withoutAround } from '../model/history'
import { END_REACH, isMoving, isReleased, type ScrollState } from '../model/scroll'
import {
  buildTimeline,
  type MessageRow,
  NO_DIVIDER,
  nextDivider,
  receivedAfter,
  type TimelineRow,
} from '../model/timeline'
import { type Outgoing, useOutgoing } from '../outgoing'
import { changeHistory, useAroundQuery, useNewerQuery, useOlderQuery } from '../queries/messages'
import { useTitle, useWriterName } from '../queries/names'
import type { MessageActions } from './MessageItem'
import { useMessageMenu } from './MessageMenu'
import { TimelineItem } from './TimelineItem'
import { useScrollPosition, useScrollStore } from './useScrollPosition'

/** Number of rows rendered above and below the visible ones. */
const OVERSCAN = 8
/** More messages are loaded when this many rows are left above, or below while a stretch further up is shown. */
const READ_AHEAD = 10
/** Estimated height of a row before it is measured, in pixels. */
const ESTIMATED_HEIGHT = 58

interface MessageListProps {
  conversation: Conversation
  history: History
  /** Whether the window is in front. */
  isLooking: boolean
  /** Whether the messages were fetched since the conversation was opened. */
  isFresh: boolean
  isOtherTyping: boolean
}

function hasMenu(row: TimelineRow | undefined): row is MessageRow {
  return row?.kind === 'message' && row.delivery === 'sent' && row.message.deleted_at === null
}

/** The rows of the timeline; the unread divider in it moves with the messages. */
function useTimeline(
  { conversation, history, isLooking, isFresh, isOtherTyping }: MessageListProps,
  outgoing: readonly Outgoing[],
): TimelineRow[] {
  const { id: me, profile } = useMe()
  const isPair = conversation.kind === 'pair'
  const deliveredAt = isPair && profile.show_activity_status ? conversation.deliveredAt : null
  const { messages: stored, hasOlder } = history.around ?? history
  const edits = useEdits(conversation.id)
  const messages = useMemo(() => withSavedEdits(stored, edits), [stored, edits])
  const hasNewer = history.around !== undefined
  const [divider, setDivider] = useState(NO_DIVIDER)
  // The fetch that completes the opening still returns messages from before it.
  const [isOpening, setIsOpening] = useState(true)
  const moved = nextDivider(divider, {
    messages: history.messages,
    mark: conversation.mark,
    hasOlder: history.hasOlder,
    me,
    isLooking,
    isOpening,
  })
  if (moved !== divider) setDivider(moved)
  if (isOpening && isFresh) setIsOpening(false)
  return useMemo(() => {
    const shown = { me, messages, hasOlder, hasNewer, deliveredAt }
    return hasNewer
      ? buildTimeline({ ...shown, outgoing: [], divider: NO_DIVIDER, isOtherTyping: false })
      : buildTimeline({ ...shown, outgoing, divider: moved, isOtherTyping })
  }, [me, messages, outgoing, moved, hasOlder, hasNewer, isOtherTyping, deliveredAt])
}

/**
 * Makes the buttons of the messages' menus one tab stop, in which the arrow keys move; by default the last message's.
 * @param focusRow scrolls to a row by its index, and focuses its button
 */
function useMenuButtons(rows: readonly TimelineRow[], focusRow: (index: number, key: string) => void) {
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const lastWithMenu = rows.findLast(hasMenu)?.key ?? null
  const tabStop = rows.some((row) => row.key === chosenKey && hasMenu(row)) ? chosenKey : lastWithMenu
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
    setChosenKey(key)
    focusRow(index, key)
  }
  return { tabStop, handleKeyDown }
}

/**
 * Whether the rows near the start are rendered. The list is first rendered at its start, and a slow computer may render it
 * again before it has scrolled to its end or divider: then the start counts only if it is near the end.
 */
function showsStart(list: Virtualizer<HTMLDivElement, Element>, hold: ScrollState['hold']): boolean {
  if (hold === 'free') return (list.getVirtualItems()[0]?.index ?? READ_AHEAD) < READ_AHEAD
  if (isMoving({ hold })) return false
  const endOffset = list.getTotalSize() - (list.scrollRect?.height ?? 0)
  return (list.measurementsCache[READ_AHEAD + OVERSCAN]?.start ?? Number.POSITIVE_INFINITY) > endOffset
}

/**
 * The messages, oldest first. Older messages are loaded above without moving the visible ones; at the end the list stays
 * at the end. It opens at the first unread message. A wanted message that is not loaded is shown with the messages
 * around it, instead of the newest ones.
 */
export function MessageList({ conversation, history, isLooking, isFresh, isOtherTyping }: MessageListProps) {
  const { id: me } = useMe()
  const { name: otherName } = useTitle(conversation)
  const isGroup = conversation.kind === 'group'
  const { messages: newest, around } = history
  const { messages, hasOlder } = around ?? history
  const hasNewer = around !== undefined
  const client = useQueryClient()
  const outgoing = useOutgoing(conversation.id)
  const rows = useTimeline({ conversation, history, isLooking, isFresh, isOtherTyping }, outgoing)

  const scroller = useRef<HTMLDivElement>(null)
  // Not in the render in which the stretch reaches the newest messages: the member may be at its end.
  const [isAtNewest, setIsAtNewest] = useState(!hasNewer)
  useLayoutEffect(() => setIsAtNewest(!hasNewer), [hasNewer])
  const scrollStore = useScrollStore()
  const hasLeftEnd = useStore(scrollStore, isReleased)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: OVERSCAN,
    paddingStart: 16,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: isAtNewest && !hasNewer,
    // The list is released near its end while a message there is unfolded, whose first lines stay where they are.
    scrollEndThreshold: hasLeftEnd ? -1 : END_REACH,
  })
  const items = virtualizer.getVirtualItems()
  const isAtEnd = virtualizer.isAtEnd(END_REACH)

  const { state, dispatch, attach } = useScrollPosition(scrollStore, virtualizer, rows)
  const isNearStart = state.opened !== 'not yet' && showsStart(virtualizer, state.hold)
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - READ_AHEAD
  const older = useOlderQuery(conversation.id, messages[0], hasOlder && isNearStart)
  const newer = useNewerQuery(conversation.id, messages.at(-1), hasNewer && isNearEnd)
  const soughtId = messages.some(({ id }) => id === state.wantedId) ? null : state.wantedId
  const canFind = useAroundQuery(conversation.id, soughtId)
  const attachScroller = useCallback(
    (element: HTMLDivElement) => {
      scroller.current = element
      return attach(element)
    },
    [attach],
  )
  const showNewest = () => changeHistory(client, conversation.id, withoutAround)
  const goToEnd = () => {
    showNewest()
    dispatch({ type: 'go to end' })
  }
  const wanted = useWantedMessage()
  const showWanted = useEffectEvent((id: string) => {
    // What was searched for may be in its folded part.
    setUnfolded(id, true)
    dispatch({ type: 'show message', id })
  })
  // Before the first layout, which would open the list at its end.
  useLayoutEffect(() => {
    if (wanted.id !== null && wanted.visit !== '') showWanted(wanted.id)
  }, [wanted.id, wanted.visit])
  const pendingId = outgoing.at(-1)?.message.id
  // An own message is shown below the newest ones.
  const followPending = useEffectEvent(showNewest)
  useEffect(() => {
    if (pendingId !== undefined) followPending()
  }, [pendingId])
  useLayoutEffect(() =>
    dispatch({
      type: 'rendered',
      messages: newest,
      mark: conversation.mark,
      rows,
      visibleCount: isAtEnd ? rows.length : (virtualizer.range?.endIndex ?? -1) + 1,
      isFresh,
      soughtId,
      canFind,
      pendingId,
      hasNewer,
    }),
  )

  const menu = useMessageMenu(conversation, scroller, (id) => {
    const row = rows.find(({ key }) => key === id)
    return hasMenu(row) ? row.message : undefined
  })
  const actions: MessageActions = {
    openMenu: menu.open,
    show: (id) => dispatch({ type: 'show message', id }),
    keepPlace: () => dispatch({ type: 'unfold' }),
  }

  const { tabStop, handleKeyDown } = useMenuButtons(rows, (index, key) => {
    virtualizer.scrollToIndex(index, { align: 'auto' })
    requestAnimationFrame(() => menu.focusButton(key))
  })

  const handleContextMenu = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    // Keep the system menu for links.
    if (event.target.closest('a') !== null) return
    const id = event.target.closest('[data-menu]')?.getAttribute('data-menu')
    if (id == null) return
    event.preventDefault()
    menu.open(id, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
  }

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={attachScroller}
        role="log"
        aria-label={texts.messages.history}
        // MessageAnnouncer announces new messages: rows are added and removed here while scrolling.
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
                className={`absolute inset-x-0 top-0 px-4 sm:px-5.5 ${row.key === state.highlightedId ? 'animate-shown' : ''}`}
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
      {(older.isLoading || newer.isLoading) && (
        <div
          className={`pointer-events-none absolute inset-x-0 grid place-items-center ${older.isLoading ? 'top-2' : 'bottom-2'}`}
        >
          <Spinner size={18} label={older.isLoading ? texts.messages.older : texts.messages.newer} />
        </div>
      )}
      {state.opened !== 'not yet' && (hasNewer || !isAtEnd) && (
        <ScrollToEndButton unseen={receivedAfter(newest, state.seenId, me).length} onClick={goToEnd} />
      )}
      <MessageAnnouncer messages={newest} isGroup={isGroup} name={otherName} isOtherTyping={isOtherTyping} />
      {menu.element}
    </div>
  )
}

/** This many announced messages stay in the page; a screen reader reads each when it is added. */
const KEPT = 5

interface ArrivalsProps {
  messages: readonly Message[]
  isGroup: boolean
  /** Of the other member. */
  name: string
  isOtherTyping: boolean
}

/** Announces new messages of others to screen readers, and that the other member is typing. */
function MessageAnnouncer({ messages, isGroup, name, isOtherTyping }: ArrivalsProps) {
  const { id: me } = useMe()
  const [firstId] = useState(messages.at(-1)?.id ?? null)
  return (
    <div aria-live="polite" className="sr-only">
      {receivedAfter(messages, firstId, me)
        .slice(-KEPT)
        .map((message) => (
          // One element per message: equal texts are announced twice.
          <Arrival key={message.id} message={message} isGroup={isGroup} otherName={name} />
        ))}
      {isOtherTyping && <p>{texts.messages.typing(name)}</p>}
    </div>
  )
}

interface ArrivalProps {
  message: Message
  isGroup: boolean
  otherName: string
}

function Arrival({ message, isGroup, otherName }: ArrivalProps) {
  const writer = useWriterName(isGroup, message.sender_id, otherName)
  // Announced once, with the name.
  return writer !== '' && <p>{texts.messages.saidBy(writer, summarize(message))}</p>
}

interface ToLatestProps {
  /** Number of unseen messages of the other member below the visible ones. */
  unseen: number
  onClick: () => void
}

/** Scrolls to the end of the conversation. */
function ScrollToEndButton({ unseen, onClick }: ToLatestProps) {
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
