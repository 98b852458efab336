import { useVirtualizer } from '@tanstack/react-virtual'
import { Search, SquarePen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import { Spinner } from '#/renderer/components/Spinner'
import { MemberOptions, useMemberCombobox } from '#/renderer/features/search'
import { useNow } from '#/renderer/lib/clock-store'
import { texts } from '#/renderer/lib/texts'
import { isOpen } from '../model/conversation'
import { useStartConversation } from '../mutations/conversations'
import { activityRange, isActiveNow, useActivityQuery } from '../queries/activity'
import { useConversationsQuery } from '../queries/conversations'
import { ConversationRow, ROW_HEIGHT } from './ConversationRow'

/** Number of rows rendered above and below the visible ones. */
const OVERSCAN = 6
/** The next page is loaded when this many rows are left below. */
const READ_AHEAD = 6

interface ConversationListProps {
  openId: string | null
  className: string
}

/** The member's conversations, latest first, and the search for a member to write to (MSG-01, MSG-02). */
export function ConversationList({ openId, className }: ConversationListProps) {
  const [isSearching, setIsSearching] = useState(false)
  return (
    <section
      aria-labelledby="messages-title"
      className={`flex min-h-0 flex-col border-line md:border-e ${className}`}
    >
      <div className="flex h-15 shrink-0 items-center justify-between ps-4.5 pe-3">
        <h1 id="messages-title" className="font-semibold text-[18px]">
          {texts.messages.title}
        </h1>
        <IconButton
          label={texts.messages.newConversation}
          aria-expanded={isSearching}
          onClick={() => setIsSearching(!isSearching)}
        >
          <SquarePen />
        </IconButton>
      </div>
      {isSearching && <NewConversation onClose={() => setIsSearching(false)} />}
      <Rows openId={openId} />
    </section>
  )
}

function Rows({ openId }: { openId: string | null }) {
  const { conversations, isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useConversationsQuery(openId)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => conversations[index]?.id ?? index,
    overscan: OVERSCAN,
  })
  const items = virtualizer.getVirtualItems()

  const lastShown = items.at(-1)?.index ?? 0
  const isNearEnd = hasNextPage && !isFetchingNextPage && lastShown >= conversations.length - READ_AHEAD
  useEffect(() => {
    if (isNearEnd && !isError) void fetchNextPage()
  }, [isNearEnd, isError, fetchNextPage])

  const { start, end } = activityRange(items.at(0)?.index ?? 0, lastShown)
  const answered = conversations.slice(start, end).filter((each) => isOpen(each) && each.hasOtherWritten)
  const { data: activity } = useActivityQuery(answered.map(({ otherId }) => otherId))
  const now = useNow()

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const focused = Number(document.activeElement?.getAttribute('data-index') ?? -1)
    const last = conversations.length - 1
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(focused + 1, last),
      ArrowUp: Math.max(focused - 1, 0),
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    if (target === undefined || last === -1) return
    event.preventDefault()
    virtualizer.scrollToIndex(target)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus(),
    )
  }

  if (isPending) {
    return (
      <div className="grid flex-1 place-items-center">
        <Spinner />
      </div>
    )
  }
  if (conversations.length === 0)
    return <p className="px-4.5 py-3 text-[14px] text-quiet">{texts.messages.noConversations}</p>
  const openIndex = conversations.findIndex(({ id }) => id === openId)
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul
        aria-label={texts.messages.conversations}
        style={{ height: virtualizer.getTotalSize() }}
        className="relative"
        onKeyDown={handleKeyDown}
      >
        {items.map((item) => {
          const conversation = conversations[item.index]
          if (conversation === undefined) return null
          const lastActiveAt = isOpen(conversation) ? activity?.get(conversation.otherId) : undefined
          return (
            <li
              key={item.key}
              aria-setsize={hasNextPage ? -1 : conversations.length}
              aria-posinset={item.index + 1}
              style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
              className="absolute inset-x-0 top-0"
            >
              <ConversationRow
                conversation={conversation}
                index={item.index}
                isOpen={conversation.id === openId}
                isFromList={openId === null}
                isTabStop={item.index === Math.max(0, openIndex)}
                isActive={lastActiveAt !== undefined && isActiveNow(lastActiveAt, now)}
              />
            </li>
          )
        })}
      </ul>
      {isFetchingNextPage && (
        <div className="grid h-12 place-items-center">
          <Spinner size={18} label={texts.messages.more} />
        </div>
      )}
    </div>
  )
}

interface NewConversationProps {
  onClose: () => void
}

/** Searches a member to write to, opens the conversation with them and closes (MSG-02). */
function NewConversation({ onClose }: NewConversationProps) {
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useStartConversation()
  const combobox = useMemberCombobox({
    onChoose: ({ id }) => mutate(id, { onSuccess: onClose }),
    onEscape: onClose,
  })
  useEffect(() => input.current?.focus(), [])
  return (
    <search className="relative z-10 mx-4.5 mb-3 block shrink-0 text-[14px]">
      <Search aria-hidden="true" className="pointer-events-none absolute start-3 top-2.5 size-4 text-quiet" />
      <input
        {...combobox.inputProps}
        ref={input}
        aria-label={texts.messages.searchPlaceholder}
        placeholder={texts.messages.searchPlaceholder}
        readOnly={isPending}
        className="h-9 w-full rounded-md bg-sunk outline-ink outline-offset-0 ps-9 pe-3"
      />
      <MemberOptions
        combobox={combobox}
        label={texts.messages.searchPlaceholder}
        className="absolute inset-x-0 top-11 animate-appear rounded-md border border-line bg-raised p-1.5 shadow-card"
      />
    </search>
  )
}
