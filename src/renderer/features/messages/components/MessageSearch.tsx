import { Search } from 'lucide-react'
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { ListEnd } from '#/renderer/components/ListEnd'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { fullTime, shortElapsedTime } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { QUERY_MAX } from '#/shared/limits'
import { messagePath } from '../address'
import type { Conversation } from '../model/conversation'
import { snippetOf } from '../model/snippet'
import { useWriter } from '../queries/names'
import {
  type FoundMessage,
  isSearchable,
  useFoundConversations,
  useMessageSearchQuery,
} from '../queries/search'
import { ConversationPicture } from './ConversationPicture'

/** Time without typing before the search starts, in milliseconds. */
const PAUSE_MS = 200

interface MessageSearchProps {
  /** Searches this conversation only; null for all. */
  conversationId: string | null
  /** A found message was chosen. */
  onChoose?: () => void
  /** Replaces the results until something is typed. */
  children?: ReactNode
}

/** A field that finds messages by their text, and what it found (MSG-14). */
export function MessageSearch({ conversationId, onChoose, children }: MessageSearchProps) {
  const [typed, setTyped] = useState('')
  const query = usePaused(typed.trim())
  return (
    <>
      <search className="relative mx-4.5 mb-3 block shrink-0 text-[14px]">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute start-3 top-2.5 size-4 text-quiet"
        />
        <input
          type="search"
          data-first-focus
          autoComplete="off"
          aria-label={texts.messages.search}
          placeholder={texts.messages.search}
          maxLength={QUERY_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            // Escape empties the field first, and then closes a dialog.
            if (event.key !== 'Escape' || typed === '') return
            event.stopPropagation()
            event.preventDefault()
            setTyped('')
          }}
          className="h-9 w-full rounded-md bg-sunk ps-9 pe-3 outline-ink outline-offset-0"
        />
      </search>
      {isSearchable(typed.trim()) ? (
        <Found query={query} conversationId={conversationId} onChoose={onChoose} />
      ) : (
        (children ?? <p className="px-4.5 py-3 text-[14px] text-quiet">{texts.messages.searchHint}</p>)
      )}
    </>
  )
}

/** The value once it has not changed for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return useDeferredValue(paused)
}

interface FoundProps {
  query: string
  conversationId: string | null
  onChoose: (() => void) | undefined
}

function Found({ query, conversationId, onChoose }: FoundProps) {
  const search = useMessageSearchQuery(query, conversationId)
  const { data: found = [], isLoadingError, hasNextPage, refetch } = search
  const conversations = useFoundConversations(found)
  const scroller = useRef<HTMLUListElement>(null)
  const isSearching = search.isPending || (found.length === 0 && hasNextPage)
  return (
    <>
      <p role="status" className="sr-only">
        {isSearching ? texts.messages.searching : texts.messages.found(found.length, hasNextPage)}
      </p>
      <ul
        ref={scroller}
        aria-label={texts.messages.foundList}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        {found.map((message) => {
          const conversation = conversations.get(message.conversation_id)
          return (
            <li key={message.id}>
              <FoundRow message={message} conversation={conversation} query={query} onChoose={onChoose} />
            </li>
          )
        })}
        {found.length === 0 && (
          <li className="px-4.5 py-3 text-center text-[14px] text-quiet">
            {search.isPending || isLoadingError ? (
              <SpinnerOrRetry hasFailed={isLoadingError} onRetry={refetch} />
            ) : (
              !hasNextPage && texts.messages.nothingFound
            )}
          </li>
        )}
        <ListEnd
          query={search}
          scroller={scroller as RefObject<HTMLElement | null>}
          label={texts.messages.searching}
        />
      </ul>
    </>
  )
}

interface FoundRowProps {
  message: FoundMessage
  /** Undefined while it is loading. */
  conversation: Conversation | undefined
  query: string
  onChoose: (() => void) | undefined
}

const NOBODY = { username: '', avatar_url: null, avatar_path: null }

function FoundRow({ message, conversation, query, onChoose }: FoundRowProps) {
  return (
    <Link
      to={messagePath(message.conversation_id, message.id)}
      onClick={onChoose}
      className="flex items-center gap-3 px-4.5 py-2 -outline-offset-2 hover:bg-sunk"
    >
      {conversation === undefined ? (
        <Avatar member={NOBODY} size={38} />
      ) : (
        <ConversationPicture conversation={conversation} size={38} />
      )}
      <FoundText message={message} conversation={conversation} query={query} />
    </Link>
  )
}

/** In whose conversation or in which group it was found. */
function placeOf(conversation: Conversation | undefined): string {
  if (conversation?.kind === 'group') return conversation.name || texts.messages.group
  return conversation?.other?.username ?? texts.messages.member
}

function FoundText({ message, conversation, query }: Omit<FoundRowProps, 'onChoose'>) {
  const { id: me } = useMe()
  const now = useNow()
  const { content, sender_id } = message
  const isOwn = sender_id === me
  const others = useWriter(conversation?.kind === 'group' && !isOwn ? sender_id : null).name
  const writer = isOwn ? texts.messages.you : others
  const { before, match, after } = useMemo(() => snippetOf(content, query), [content, query])
  return (
    <span className="min-w-0 flex-1 text-[14px] leading-[1.35]">
      <span className="flex gap-1.5">
        <span dir="auto" className="truncate font-semibold">
          {placeOf(conversation)}
        </span>
        <time
          dateTime={message.created_at}
          title={fullTime(message.created_at)}
          className="ms-auto shrink-0 text-[12.5px] text-quiet"
        >
          {shortElapsedTime(message.created_at, now)}
        </time>
      </span>
      <span dir="auto" className="block truncate text-quiet">
        {writer !== '' && `${writer}: `}
        <bdi>
          {before}
          <mark className="rounded-sm bg-accent-wash font-semibold text-ink">{match}</mark>
          {after}
        </bdi>
      </span>
    </span>
  )
}
