import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { UnblockButton } from '#/renderer/features/safety'
import { useConversationChannel } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import { useIsLooking } from '#/renderer/lib/visibility'
import { NOT_HERE } from '../address'
import { attend } from '../attention'
import { type Conversation as ConversationData, useConversationQuery } from '../conversation-list'
import { useDraft } from '../drafts'
import { useHistoryQuery } from '../history-query'
import { useMarkRead } from '../useMarkRead'
import { useOther } from '../useOther'
import { Composer } from './Composer'
import { ConversationHeader } from './ConversationHeader'
import { MessageList } from './MessageList'

interface ConversationProps {
  /** Of the address: it may be no conversation's id at all. */
  id: string
  onClose: () => void
}

/** The open conversation; one that is not there, or not one's own, leads to the list. */
export function Conversation({ id, onClose }: ConversationProps) {
  const navigate = useNavigate()
  const { data: conversation, isError, refetch } = useConversationQuery(id)
  const isMissing = conversation === null
  useEffect(() => {
    if (isMissing) navigate('/messages', { replace: true, state: NOT_HERE })
  }, [isMissing, navigate])
  if (conversation == null) {
    return <Waiting hasFailed={isError} onRetry={() => void refetch()} />
  }
  return <OpenConversation conversation={conversation} onClose={onClose} />
}

interface OpenConversationProps {
  conversation: ConversationData
  onClose: () => void
}

function OpenConversation({ conversation, onClose }: OpenConversationProps) {
  const { other } = conversation
  const { name } = useOther(conversation)
  return (
    <section aria-label={texts.messages.conversationWith(name)} className="relative flex min-h-0 flex-col">
      {other === null ? (
        <Closed conversation={conversation} onClose={onClose} />
      ) : (
        <Live conversation={conversation} otherName={other.username} onClose={onClose} />
      )}
    </section>
  )
}

/** The other is not to be seen any more: what was said can be read, and that is all. */
function Closed({ conversation, onClose }: OpenConversationProps) {
  const { name, blocked } = useOther(conversation)
  return (
    <>
      <ConversationHeader conversation={conversation} isOtherHere={false} onClose={onClose} />
      <Messages conversation={conversation} isOtherTyping={false} />
      <div className="border-line border-t px-4.5 py-5 text-center text-[14px] text-quiet">
        <p>{blocked === null ? texts.messages.closed : texts.messages.blocked(name)}</p>
        {blocked !== null && (
          <div className="mt-3">
            <UnblockButton member={blocked} />
          </div>
        )}
        <UnsentDraft conversationId={conversation.id} />
      </div>
    </>
  )
}

/** A text that was begun before, to be copied: it is not lost because it cannot be sent. */
function UnsentDraft({ conversationId }: { conversationId: string }) {
  const draft = useDraft(conversationId).trim()
  if (draft === '') return null
  return (
    <>
      <p className="mt-3 text-[12.5px]">{texts.messages.unsentDraft}</p>
      <p
        dir="auto"
        className="mt-1 max-h-32 select-text overflow-y-auto whitespace-pre-line text-ink wrap-anywhere"
      >
        {draft}
      </p>
    </>
  )
}

function Live({ conversation, otherName, onClose }: OpenConversationProps & { otherName: string }) {
  const { id: me, profile } = useMe()
  const { id, hasOtherWritten } = conversation
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
function Waiting({ hasFailed, onRetry }: WaitingProps) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center">
      {hasFailed ? <Button onClick={onRetry}>{texts.tryAgain}</Button> : <Spinner size={28} />}
    </div>
  )
}
