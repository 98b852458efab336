import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowLeft, Search, SquarePen } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { IconButton } from '#/renderer/components/IconButton'
import { Spinner } from '#/renderer/components/Spinner'
import { MemberOptions, useMemberCombobox } from '#/renderer/features/search'
import { focusWhenRendered } from '#/renderer/lib/browser/focus'
import { focusIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { useNow } from '#/renderer/lib/core/clock-store'
import { useListScroll } from '#/renderer/lib/navigation/useListScroll'
import { texts } from '#/renderer/lib/texts'
import { folderPath } from '../address'
import { isOpen } from '../model/conversation'
import type { Folder } from '../model/folders'
import { useStartConversation } from '../mutations/conversations'
import { activityRange, isActiveNow, useActivityQuery, useIsActivityKnown } from '../queries/activity'
import { useConversationsQuery } from '../queries/conversations'
import { LIST_TITLE_ID, useConversationActions } from './ConversationMenu'
import { ConversationRow, ROW_HEIGHT } from './ConversationRow'
import { FolderLinks } from './FolderLinks'
import { MessageSearch } from './MessageSearch'

/** Number of rows rendered above and below the visible ones. */
const OVERSCAN = 6
/** The next page is loaded when this many rows are left below. */
const READ_AHEAD = 6

const FOLDER_TEXTS = {
  inbox: { title: texts.pages.messages, about: null, empty: texts.messages.noConversations },
  requests: {
    title: texts.messages.requests,
    about: texts.messages.requestsAbout,
    empty: texts.messages.noRequests,
  },
  archived: {
    title: texts.messages.archivedEntry,
    about: texts.messages.archivedAbout,
    empty: texts.messages.noArchived,
  },
} as const

interface ConversationListProps {
  folder: Folder
  openId: string | null
  className: string
}

/**
 * The member's conversations, latest first, and the search for a member to write to (MSG-01, MSG-02); or their requests
 * (MSG-13) or archived conversations (MSG-15).
 */
export function ConversationList({ folder, openId, className }: ConversationListProps) {
  const [isSearching, setIsSearching] = useState(false)
  useFocusWhenLost(folder, openId)
  return (
    <section
      aria-labelledby={LIST_TITLE_ID}
      className={`flex min-h-0 flex-col border-line md:border-e ${className}`}
    >
      <div className={`flex h-15 shrink-0 items-center gap-1 pe-3 ${folder === 'inbox' ? 'ps-4.5' : 'ps-2'}`}>
        {folder !== 'inbox' && (
          <Link
            to={folderPath('inbox')}
            aria-label={texts.messages.backToList}
            title={texts.messages.backToList}
            className="grid size-10 place-items-center rounded-md hover:bg-sunk rtl:-scale-x-100"
          >
            <ArrowLeft aria-hidden="true" className="size-5.5 stroke-[1.75]" />
          </Link>
        )}
        <h1 id={LIST_TITLE_ID} tabIndex={-1} className="me-auto font-semibold text-[18px] outline-none">
          {FOLDER_TEXTS[folder].title}
        </h1>
        {folder === 'inbox' && (
          <IconButton
            label={texts.messages.newConversation}
            aria-expanded={isSearching}
            onClick={() => setIsSearching(!isSearching)}
          >
            <SquarePen />
          </IconButton>
        )}
      </div>
      {isSearching && folder === 'inbox' && <NewConversation onClose={() => setIsSearching(false)} />}
      {folder === 'inbox' ? (
        <MessageSearch conversationId={null}>
          <FolderLinks />
          <Rows key={folder} folder={folder} openId={openId} />
        </MessageSearch>
      ) : (
        <Rows key={folder} folder={folder} openId={openId} />
      )}
    </section>
  )
}

/** Focuses the title when the element that had the focus has left with the previous list or conversation. */
function useFocusWhenLost(folder: Folder, openId: string | null): void {
  const [first] = useState({ folder, openId })
  useEffect(() => {
    if (first.folder !== folder || first.openId !== openId)
      focusIfLost(() => document.getElementById(LIST_TITLE_ID))
  }, [first, folder, openId])
}

interface RowsProps {
  folder: Folder
  openId: string | null
}

function Rows({ folder, openId }: RowsProps) {
  const query = useConversationsQuery(folder, openId)
  const { conversations, isPending, isError, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } =
    query
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => conversations[index]?.id ?? index,
    overscan: OVERSCAN,
  })
  const items = virtualizer.getVirtualItems()
  const ids = conversations.map(({ id }) => id)
  useListScroll({
    list: ['conversations', folder],
    ids,
    isReady: !isPending && ids.length > 0,
    query,
    positionAt: (offset) => {
      const index = Math.floor(offset / ROW_HEIGHT)
      const id = ids[index]
      return index === 0 || id === undefined ? null : { id, top: index * ROW_HEIGHT - offset }
    },
    startOf: (index) => index * ROW_HEIGHT,
    element: scroller,
  })

  const lastShown = items.at(-1)?.index ?? 0
  // A running refetch would be cancelled.
  const isNearEnd = hasNextPage && !isFetching && lastShown >= conversations.length - READ_AHEAD
  useEffect(() => {
    if (isNearEnd && !isError) void fetchNextPage()
  }, [isNearEnd, isError, fetchNextPage])

  const { start, end } = activityRange(items.at(0)?.index ?? 0, lastShown)
  const answered = conversations
    .slice(start, end)
    .filter((each) => each.kind === 'pair')
    .filter((each) => isOpen(each) && each.hasOtherWritten)
  const { data: activity } = useActivityQuery(answered.map(({ otherId }) => otherId))
  const now = useNow()
  const isActivityKnown = useIsActivityKnown()

  const focusRow = (index: number) => {
    virtualizer.scrollToIndex(index)
    focusWhenRendered(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`))
  }
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const handleFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const row = target.closest('li')?.querySelector<HTMLElement>('[data-index]')
    const id = conversations[Number(row?.dataset.index ?? -1)]?.id
    if (id !== undefined) setFocusedId(id)
  }
  const actedIndex = useRef(0)
  const { choose, element } = useConversationActions(() => {
    const links = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])]
    const next = links.find(({ dataset }) => Number(dataset.index) >= actedIndex.current)
    return next ?? links.at(-1) ?? document.getElementById(LIST_TITLE_ID)
  })

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Not for the keys of a row's menu.
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return
    const focused = Number(event.target.dataset.index)
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
    focusRow(target)
  }

  if (isPending) {
    return (
      <div className="grid flex-1 place-items-center">
        <Spinner />
      </div>
    )
  }
  const { about, empty } = FOLDER_TEXTS[folder]
  if (conversations.length === 0) return <p className="px-4.5 py-3 text-[14px] text-quiet">{empty}</p>
  const indexOf = (wanted: string | null) => conversations.findIndex(({ id }) => id === wanted)
  const tabStop = [indexOf(focusedId), indexOf(openId), 0].find((index) => index !== -1)
  return (
    <>
      {about !== null && <p className="shrink-0 text-balance px-4.5 pb-3 text-[13px] text-quiet">{about}</p>}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <ul
          aria-label={texts.messages.conversations}
          style={{ height: virtualizer.getTotalSize() }}
          className="relative"
          onKeyDown={handleKeyDown}
          onFocus={handleFocus}
        >
          {items.map((item) => {
            const conversation = conversations[item.index]
            if (conversation === undefined) return null
            const isPair = conversation.kind === 'pair' && isOpen(conversation)
            const lastActiveAt = isPair ? activity?.get(conversation.otherId) : undefined
            return (
              <li
                key={item.key}
                aria-setsize={hasNextPage ? -1 : conversations.length}
                aria-posinset={item.index + 1}
                style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
                className="group absolute inset-x-0 top-0"
              >
                <ConversationRow
                  conversation={conversation}
                  folder={folder}
                  index={item.index}
                  isOpen={conversation.id === openId}
                  isFromList={openId === null}
                  isTabStop={item.index === tabStop}
                  isActive={isActivityKnown && lastActiveAt !== undefined && isActiveNow(lastActiveAt, now)}
                  onChoose={(action) => {
                    actedIndex.current = item.index
                    choose(conversation, action)
                  }}
                />
              </li>
            )
          })}
        </ul>
        {isFetchingNextPage && !isError && (
          <div className="grid h-12 place-items-center">
            <Spinner size={18} label={texts.messages.more} />
          </div>
        )}
        {element}
      </div>
    </>
  )
}

interface NewConversationProps {
  onClose: () => void
}

/** Searches a member to write to, opens the conversation with them and closes (MSG-02). */
function NewConversation({ onClose }: NewConversationProps) {
  const input = useRef<HTMLInputElement>(null)
  const { mutate } = useStartConversation()
  const handleOpened = () => {
    // What was typed meanwhile is another search.
    if (input.current?.value === '') onClose()
  }
  const combobox = useMemberCombobox({
    onChoose: ({ id }) => mutate(id, { onSuccess: handleOpened }),
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
