import { useCallback, useEffect, useRef, useState } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { type RealtimeChannel, supabase } from '#/renderer/lib/supabase'
import { onMessageEvent } from './events'
import { keepSubscribed } from './subscription'

/** Typing is told at most this often, and forgotten when it was not told again, in milliseconds. */
const TYPING = { every: 2_500, goes: 4_000 } as const

export interface ConversationChannel {
  isOtherTyping: boolean
  /** Whether the other has this conversation open. */
  isOtherHere: boolean
  /** Call on every change of what is being written; most calls send nothing. */
  sendTyping(): void
}

/** Who types and who is there in a conversation: a private channel for its two members. */
export function useConversationChannel(conversationId: string, me: string): ConversationChannel {
  const [isOtherTyping, setIsOtherTyping] = useState(false)
  const [isOtherHere, setIsOtherHere] = useState(false)
  const joined = useRef<RealtimeChannel | null>(null)
  const lastSent = useRef(0)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopTyping = () => {
      clearTimeout(timer)
      setIsOtherTyping(false)
    }
    const prepare = (topic: string): RealtimeChannel => {
      const channel = supabase().channel(topic, { config: { private: true, presence: { key: me } } })
      return channel
        .on('presence', { event: 'sync' }, () =>
          setIsOtherHere(Object.keys(channel.presenceState()).some((key) => key !== me)),
        )
        .on('broadcast', { event: 'typing' }, () => {
          clearTimeout(timer)
          setIsOtherTyping(true)
          timer = setTimeout(stopTyping, TYPING.goes)
        })
    }
    const leave = keepSubscribed(`conversation:${conversationId}`, prepare, (isSubscribed, channel) => {
      joined.current = isSubscribed ? channel : null
      if (isSubscribed) {
        channel.track({}).catch((cause: unknown) => logFailure('track presence', cause))
        return
      }
      stopTyping()
      setIsOtherHere(false)
    })
    const ignoreMessages = onMessageEvent(({ kind, row }) => {
      if (kind !== 'insert' || row.conversation_id !== conversationId) return
      if (row.sender_id === me) lastSent.current = 0
      else stopTyping()
    })
    return () => {
      leave()
      ignoreMessages()
      joined.current = null
      lastSent.current = 0
      stopTyping()
      setIsOtherHere(false)
    }
  }, [conversationId, me])

  const sendTyping = useCallback(() => {
    const now = Date.now()
    // Without a channel the client would send by a request of its own: not worth one.
    if (joined.current === null || now - lastSent.current < TYPING.every) return
    lastSent.current = now
    joined.current
      .send({ type: 'broadcast', event: 'typing', payload: {} })
      .catch((cause: unknown) => logFailure('tell typing', cause))
  }, [])

  return { isOtherTyping, isOtherHere, sendTyping }
}
