import { useCallback, useEffect, useRef, useState } from 'react'
import { type JoinedConversation, joinConversation } from './conversation-channel'

export interface ConversationChannel {
  isOtherTyping: boolean
  /** Whether the other member has this conversation open and shares their presence. */
  isOtherHere: boolean
  /** Call on every change of the text. Throttled. */
  sendTyping(): void
}

/**
 * Typing and presence of the other member in a conversation.
 *
 * @param conversationId null while the server denies access
 * @param isPresenceShown whether this member shares their presence. A change rejoins the channel, because the server
 * checks it at the join
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
