import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { useIsLooking } from '#/renderer/lib/visibility'
import { NOT_HERE } from '../address'
import { attend } from '../attention'
import { type Conversation as ConversationData, goneConversation, isOpen } from '../conversation'
import { useConversationChannel } from '../conversation-channel'
import { refreshConversations, useConversationQuery } from '../conversation-list'
import { useDraft } from '../drafts'
import { useHistoryQuery } from '../history-query'
import { useOutgoing } from '../outgoing'
import { useMarkRead } from '../useMarkRead'
import { useOther } from '../useOther'
import { ClosedNote } from './ClosedNote'
import { Composer } from './Composer'
import { ConversationHeader } from './ConversationHeader'
import { MessageList } from './MessageList'

interface ConversationProps {
  /** Of the address: it may be no conversation's id at all. */
  id: string
  onClose: () => void
}

/**
 * The open conversation; one that is not there, or not one's own, leads to the list, unless something is left there that
 * one wrote.
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
    return <Waiting hasFailed={isError} onRetry={() => void refetch()} />
  }
  return <OpenConversation conversation={conversation} onClose={onClose} />
}

function useHasUnsent(id: string): boolean {
  const isBegun = useDraft(id).trim() !== ''
  return useOutgoing(id).length > 0 || isBegun
}

interface OpenConversationProps {
  conversation: ConversationData
  onClose: () => void
}

function OpenConversation({ conversation, onClose }: OpenConversationProps) {
  const { name } = useOther(conversation)
  return (
    <section aria-label={texts.messages.conversationWith(name)} className="relative flex min-h-0 flex-col">
      {isOpen(conversation) ? (
        <Live conversation={conversation} otherName={name} onClose={onClose} />
      ) : (
        <Closed conversation={conversation} onClose={onClose} />
      )}
    </section>
  )
}

/** Nobody can write any more: what was said can be read, and that is all. */
function Closed({ conversation, onClose }: OpenConversationProps) {
  return (
    <>
      <ConversationHeader conversation={conversation} isOtherHere={false} onClose={onClose} />
      <Messages conversation={conversation} isOtherTyping={false} />
      <ClosedNote conversation={conversation} />
    </>
  )
}

/** What the server refused, it may have refused since the conversation was closed. */
function useLookAfterRefusal(id: string): void {
  const client = useQueryClient()
  const refused = useOutgoing(id).filter(({ delivery }) => delivery === 'refused').length
  useEffect(() => {
    if (refused > 0) void refreshConversations(client)
  }, [client, refused])
}

function Live({ conversation, otherName, onClose }: OpenConversationProps & { otherName: string }) {
  const { id: me, profile } = useMe()
  const { id, hasOtherWritten } = conversation
  useLookAfterRefusal(id)
  const channel = useConversationChannel(hasOtherWritten ? id : null, me, profile.show_activity_status)
  const { isOtherTyping, isOtherHere, sendTyping } = channel
  return (
    <>
      <ConversationHeader conversation={conversation} isOtherHere={isOtherHere} onClose={onClose} />
      <Messages conversation={conversation} isOtherTyping={isOtherTyping} />
      <Composer conversationId={id} otherName={otherName} onType={sendTyping} />
    </>
  )
}

interface MessagesProps {
  conversation: ConversationData
  isOtherTyping: boolean
}

function Messages({ conversation, isOtherTyping }: MessagesProps) {
  const { id } = conversation
  const { data: history, isError, refetch } = useHistoryQuery(id)
  const [readsBefore] = useState(history?.reads)
  const isLooking = useIsLooking()
  useEffect(() => (isLooking ? attend(id) : undefined), [isLooking, id])
  useMarkRead(id, history, isLooking)
  if (history === undefined) return <Waiting hasFailed={isError} onRetry={() => void refetch()} />
  return (
    <MessageList
      conversation={conversation}
      history={history}
      isLooking={isLooking}
      isFresh={isError || history.reads !== readsBefore}
      isOtherTyping={isOtherTyping}
    />
  )
}

interface WaitingProps {
  hasFailed: boolean
  onRetry: () => void
}

/** Until it is read; a read that failed says nothing of it, but can be tried again. */
function Waiting(reading: WaitingProps) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center">
      <SpinnerOrRetry {...reading} size={28} />
    </div>
  )
}
