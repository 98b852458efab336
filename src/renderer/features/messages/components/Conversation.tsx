import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { UnblockButton } from '#/renderer/features/safety'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { focusIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { useIsLooking } from '#/renderer/lib/browser/visibility'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { useHasPane } from '#/renderer/lib/layout/layout'
import { type Mark, onCaughtUp } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import { trimText } from '#/shared/visible-text'
import { setActiveConversation, setOpenGroup } from '../active-conversation-store'
import { NOT_HERE, useOpenConversation } from '../address'
import { copyText } from '../copy-text'
import { detailsPane } from '../details-pane'
import { setDraft, useDraft } from '../drafts-store'
import { editMessage, useEditing, useEdits } from '../editing-store'
import {
  type Conversation as ConversationData,
  goneConversation,
  isOpen,
  isRequest,
} from '../model/conversation'
import { canEdit } from '../model/editing'
import { type History, isUnreadBy } from '../model/history'
import { useMarkReadMutation } from '../mutations/messages'
import { useOutgoing } from '../outgoing'
import { useConversationChannel } from '../queries/conversation-channel'
import { refetchConversations, useConversationQuery, useLoadMark } from '../queries/conversations'
import { getHistory, useHistoryQuery } from '../queries/messages'
import { useTitle } from '../queries/names'
import { Composer } from './Composer'
import { ConversationHeader } from './ConversationHeader'
import { LIST_TITLE_ID } from './ConversationMenu'
import { EditComposer, FailedEdit } from './EditComposer'
import { MessageList } from './MessageList'
import { RequestBar } from './RequestBar'

const DetailsPane = lazyPart(() => import('./DetailsPane'), 'DetailsPane')

interface ConversationProps {
  /** From the URL: may not be the id of a conversation. */
  id: string
  onClose: () => void
}

/**
 * The open conversation. If it does not exist or belongs to others, redirects to the list, unless a draft or
 * pending message of the member is left in it.
 */
export function Conversation({ id, onClose }: ConversationProps) {
  const navigate = useNavigate()
  const { data, isError, refetch } = useConversationQuery(id)
  const hasUnsent = useHasUnsent(id)
  const conversation = useMemo(
    () => (data === null && hasUnsent ? goneConversation(id, null) : data),
    [id, data, hasUnsent],
  )
  const isMissing = conversation === null
  useEffect(() => {
    if (isMissing) navigate('/messages', { replace: true, state: NOT_HERE })
  }, [isMissing, navigate])
  if (conversation == null) {
    return <Waiting hasFailed={isError} onRetry={refetch} />
  }
  return <OpenConversation conversation={conversation} onClose={onClose} />
}

function useHasUnsent(id: string): boolean {
  const isBegun = trimText(useDraft(id)) !== ''
  return useOutgoing(id).length > 0 || isBegun
}

interface OpenConversationProps {
  conversation: ConversationData
  onClose: () => void
}

/** Shows a request in the list of requests, also when it was opened from elsewhere; and with the others once it is accepted. */
function useListOfRequests({ folder: listedIn }: ConversationData): void {
  const { folder, showFolder } = useOpenConversation()
  const other =
    folder === 'inbox' && listedIn === 'requests'
      ? 'requests'
      : folder === 'requests' && listedIn === 'inbox'
        ? 'inbox'
        : null
  const show = useEffectEvent(showFolder)
  useEffect(() => {
    if (other !== null) show(other)
  }, [other])
}

function OpenConversation({ conversation, onClose }: OpenConversationProps) {
  const { name } = useTitle(conversation)
  const { kind } = conversation
  const label = kind === 'pair' ? texts.messages.conversationWith(name) : texts.messages.groupNamed(name)
  useListOfRequests(conversation)
  const openGroupId = kind === 'group' && isOpen(conversation) ? conversation.id : null
  useEffect(() => (openGroupId === null ? undefined : setOpenGroup(openGroupId)), [openGroupId])
  const hasPane = useHasPane()
  const isPaneShown = detailsPane.useChoice() === 'shown'
  const other = kind === 'pair' ? conversation.other : null
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] min-[1400px]:grid-cols-[minmax(0,1fr)_auto]">
      <section aria-label={label} className="relative flex min-h-0 flex-col">
        {isOpen(conversation) ? (
          <Live conversation={conversation} otherName={name} onClose={onClose} />
        ) : (
          <Closed conversation={conversation} onClose={onClose} />
        )}
      </section>
      {hasPane && isPaneShown && isOpen(conversation) && other !== null && (
        <DetailsPane conversationId={conversation.id} member={other} />
      )}
    </div>
  )
}

/** A closed conversation can be read only. */
function Closed({ conversation, onClose }: OpenConversationProps) {
  // The button that blocked the other member is gone.
  useEffect(() => focusIfLost(() => document.getElementById(LIST_TITLE_ID)), [])
  return (
    <>
      <ConversationHeader conversation={conversation} isOtherHere={false} onClose={onClose} />
      <Messages conversation={conversation} isOtherTyping={false} />
      <ClosedNote conversation={conversation} />
    </>
  )
}

/** A refused message may mean that the conversation was closed. */
function useRefetchAfterRefusal(id: string): void {
  const client = useQueryClient()
  const refused = useOutgoing(id).filter(({ delivery }) => delivery === 'refused').length
  useEffect(() => {
    if (refused > 0) void refetchConversations(client)
  }, [client, refused])
}

function Live({ conversation, otherName, onClose }: OpenConversationProps & { otherName: string }) {
  const { id: me } = useMe()
  const { id, epoch } = conversation
  const pair = conversation.kind === 'pair' ? conversation : null
  const isAccepted = !isRequest(conversation)
  useRefetchAfterRefusal(id)
  const channel = useConversationChannel(pair?.hasOtherWritten && isAccepted ? id : null, epoch)
  const { isOtherTyping, isOtherHere, sendTyping } = channel
  const client = useQueryClient()
  const editing = useEditing(id)
  const failed = useEdits(id).find(({ stage }) => stage === 'failed')
  const handleEditLast = () => {
    const last = getHistory(client, id)?.messages.findLast((message) => canEdit(message, me, serverNow()))
    if (last !== undefined) editMessage(last)
  }
  return (
    <>
      <ConversationHeader conversation={conversation} isOtherHere={isOtherHere} onClose={onClose} />
      <Messages conversation={conversation} isOtherTyping={isOtherTyping} />
      {!isAccepted && pair?.other && <RequestBar conversation={pair} sender={pair.other} />}
      {editing === null && failed !== undefined && <FailedEdit editing={failed} />}
      <Composer
        // Once accepted, the field takes the focus of the button.
        key={isAccepted ? 'accepted' : 'request'}
        conversationId={id}
        isGroup={pair === null}
        otherName={otherName}
        onType={sendTyping}
        onEditLast={handleEditLast}
        isHidden={editing !== null}
      />
      {editing !== null && <EditComposer key={editing.message.id} editing={editing} />}
    </>
  )
}

interface MessagesProps {
  conversation: ConversationData
  isOtherTyping: boolean
}

function Messages({ conversation, isOtherTyping }: MessagesProps) {
  const { id, mark } = conversation
  const loadMark = useLoadMark(id)
  const { data: history, isError, refetch } = useHistoryQuery(id, loadMark)
  const [fetchBefore] = useState(history?.fetch)
  const isLooking = useIsLooking()
  useEffect(() => (isLooking ? setActiveConversation(id) : undefined), [isLooking, id])
  const isFresh = isError || history?.fetch !== fetchBefore
  // A mark waits for the fetch: up to a live message, it would pass messages that the fetch brings.
  useMarkRead(id, history, mark, isLooking && isFresh && !isRequest(conversation))
  const shown = { conversation, isLooking, isOtherTyping }
  if (history !== undefined) {
    return <MessageList {...shown} history={history} isFresh={isFresh} />
  }
  if (!isError) return <Waiting hasFailed={false} onRetry={refetch} />
  return (
    <>
      <p role="status" className="px-4.5 pt-4 text-center text-[14px] text-quiet">
        {texts.messages.olderLater}{' '}
        <button
          type="button"
          onClick={() => void refetch()}
          className="font-semibold underline underline-offset-2"
        >
          {texts.tryAgain}
        </button>
      </p>
      {/* What the member sends meanwhile. Another list opens once the messages are read: at the first unread one. */}
      <MessageList key="unread history" {...shown} history={UNREAD_HISTORY} isFresh={false} />
    </>
  )
}

const UNREAD_HISTORY: History = { messages: [], hasOlder: true }

interface WaitingProps {
  hasFailed: boolean
  onRetry: () => Promise<unknown>
}

/** Shown until the data is loaded; offers a retry after a failure. */
function Waiting(reading: WaitingProps) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center">
      <SpinnerOrRetry {...reading} size={28} />
    </div>
  )
}

/**
 * Marks the other member's messages as read while the member is looking at them (MSG-05). Messages that
 * arrive meanwhile are marked next. After a failure it is tried again with the next change of the conversation,
 * and after a reconnect.
 */
function useMarkRead(
  conversationId: string,
  history: History | undefined,
  mark: Mark,
  isLooking: boolean,
): void {
  const { id: me } = useMe()
  const { mutate } = useMarkReadMutation(conversationId)
  useEffect(() => {
    if (!isLooking || history === undefined) return
    const newest = history.messages.findLast((message) => isUnreadBy(message, me, mark))
    if (newest === undefined) return
    const raise = () => mutate(newest)
    raise()
    return onCaughtUp(raise)
  }, [isLooking, history, mark, me, mutate])
}

function whyClosed(conversation: ConversationData): string {
  const { kind, isGone } = conversation
  if (kind === 'pair') return isGone ? texts.messages.gone : texts.messages.closed
  return isRequest(conversation) && !isGone ? texts.messages.groupInvited : texts.messages.groupLeft
}

/** Replaces the composer: why nobody can write, and the unsent draft. */
function ClosedNote({ conversation }: { conversation: ConversationData }) {
  const { name, blocked } = useTitle(conversation)
  const draft = trimText(useDraft(conversation.id))
  return (
    <div className="border-line border-t px-4.5 py-5 text-center text-[14px] text-quiet">
      <p role="status">{blocked === null ? whyClosed(conversation) : texts.messages.blocked(name)}</p>
      {blocked !== null && (
        <div className="mt-3">
          <UnblockButton member={blocked} />
        </div>
      )}
      {draft !== '' && <UnsentDraft draft={draft} onDiscard={() => setDraft(conversation.id, '')} />}
    </div>
  )
}

const BUTTON_CLASS = 'h-8! px-3! text-[13.5px]!'

interface UnsentDraftProps {
  draft: string
  onDiscard: () => void
}

/** An unsent draft: it can be copied although it cannot be sent. */
function UnsentDraft({ draft, onDiscard }: UnsentDraftProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // The composer that had the focus is gone: keys must not trigger shortcuts of the page. A message that is refused comes back after
  // the conversation has closed, and the focus may be where that has left it.
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.id === LIST_TITLE_ID)
      field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <label htmlFor={id} className="mt-3 block text-[12.5px]">
        {texts.messages.unsentDraft}
      </label>
      <textarea
        ref={field}
        id={id}
        readOnly
        dir="auto"
        value={draft}
        className="field-sizing-content wrap-anywhere mt-1.5 max-h-32 w-full resize-none rounded-md bg-sunk px-3 py-2 text-[14.5px] text-ink"
      />
      <div className="mt-2 flex justify-center gap-1.5">
        <Button onClick={() => copyText(draft)} className={BUTTON_CLASS}>
          {texts.messages.copy}
        </Button>
        <Button variant="quiet" onClick={onDiscard} className={BUTTON_CLASS}>
          {texts.messages.discard}
        </Button>
      </div>
    </>
  )
}
