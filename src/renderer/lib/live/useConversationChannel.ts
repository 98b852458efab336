import { useCallback, useEffect, useRef, useState } from 'react'
import { type JoinedConversation, joinConversation } from './conversation-channel'

export interface ConversationChannel {
  isOtherTyping: boolean
  /** Whether the other has this conversation open, and lets it be known. */
  isOtherHere: boolean
  /** Call on every change of what is being written; most calls send nothing. */
  sendTyping(): void
}

/**
 * Who types and who is there in a conversation.
 *
 * @param conversationId null while the server lets nobody in
 * @param isPresenceShown whether the other may know that this member is there; when it changes the channel is joined
 * anew, since the server decides at the join who may tell
 */
export function useConversationChannel(
  conversationId: string | null,
  me: string,
  isPresenceShown: boolean,
): ConversationChannel {
  const [isOtherTyping, setIsOtherTyping] = useState(false)
  const [isOtherHere, setIsOtherHere] = useState(false)
  const joined = useRef<JoinedConversation | null>(null)

  useEffect(() => {
    if (conversationId === null) return
    const conversation = joinConversation({
      conversationId,
      me,
      isPresenceShown,
      onTyping: setIsOtherTyping,
      onPresence: setIsOtherHere,
    })
    joined.current = conversation
    return () => {
      joined.current = null
      conversation.leave()
    }
  }, [conversationId, me, isPresenceShown])

  const sendTyping = useCallback(() => joined.current?.sendTyping(), [])
  return { isOtherTyping, isOtherHere, sendTyping }
}
