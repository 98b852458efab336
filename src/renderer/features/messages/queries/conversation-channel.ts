import { useCallback, useEffect, useRef, useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { isVisible, onVisibility } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { keepSubscribed, onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { type RealtimeChannel, supabase, unwrap } from '#/renderer/lib/server/supabase'

/**
 * Minimum time between two typing messages, and how long the indicator stays, in milliseconds. All members share
 * Realtime's quotas: docs/self-hosting.md calculates what these limits allow.
 */
const TYPING = { every: 5_000, shown: 7_000 } as const
/** Maximum presence messages per time in milliseconds. Hosted Supabase closes the channel at 6 in 30 s. */
const PRESENCE = { most: 3, within: 30_000 } as const

interface ConversationOptions {
  conversationId: string
  epoch: number
  me: string
  onTyping: (isOtherTyping: boolean) => void
  onPresence: (isOtherHere: boolean) => void
}

export interface JoinedConversation {
  /** Call on every change of the text. Throttled. */
  sendTyping(): void
  leave(): void
}

/**
 * Calls back when a refused channel may be open again: after a message, when the window's visibility changes, or after
 * a reconnect.
 */
function onReopened(conversationId: string, tryAgain: () => void): () => void {
  const unsubscribers = [
    onRowChange('messages', ({ row }) => {
      if (row.conversation_id === conversationId) tryAgain()
    }),
    onVisibility(tryAgain),
    onCaughtUp(tryAgain),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

/** Joins the private channel of a conversation's members, for typing and presence. */
export function joinConversation(options: ConversationOptions): JoinedConversation {
  const { conversationId, me, onTyping, onPresence } = options
  let joined: RealtimeChannel | null = null
  let lastSent = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTyping = () => {
    clearTimeout(timer)
    onTyping(false)
  }

  /** Whether the server knows that this member is present, since the channel was joined. */
  let isPresenceSent = false
  /** When the last presence messages were sent, oldest first. */
  let presenceTimes: number[] = []
  let presenceTimer: ReturnType<typeof setTimeout> | undefined
  const sendPresence = () => {
    clearTimeout(presenceTimer)
    if (joined === null || isPresenceSent === isVisible()) return
    const now = Date.now()
    presenceTimes = presenceTimes.filter((time) => time > now - PRESENCE.within)
    const [oldest = now] = presenceTimes
    if (presenceTimes.length === PRESENCE.most) {
      presenceTimer = setTimeout(sendPresence, oldest + PRESENCE.within - now)
      return
    }
    presenceTimes.push(now)
    isPresenceSent = isVisible()
    const sending = isPresenceSent ? joined.track({}) : joined.untrack()
    sending.catch((cause: unknown) => logFailure('send presence', cause))
  }

  const prepare = (topic: string): RealtimeChannel => {
    const channel = supabase().channel(topic, { config: { private: true, presence: { key: me } } })
    return channel
      .on('presence', { event: 'sync' }, () =>
        onPresence(Object.keys(channel.presenceState()).some((key) => key !== me)),
      )
      .on('broadcast', { event: 'typing' }, () => {
        clearTimeout(timer)
        onTyping(true)
        timer = setTimeout(stopTyping, TYPING.shown)
      })
  }
  let { epoch } = options
  let isEpochKnown = true
  /** The epoch may be another one after the channel was closed or refused: a block raises it, and an unblock keeps it. */
  const findTopic = async () => {
    if (!isEpochKnown) {
      const conversations = supabase().from('conversations').select('epoch')
      epoch = (await unwrap(conversations.eq('id', conversationId).maybeSingle()))?.epoch ?? epoch
    }
    return `room:${conversationId}:${epoch}`
  }
  const handleStatus = (isSubscribed: boolean, channel: RealtimeChannel) => {
    isEpochKnown = isSubscribed
    joined = isSubscribed ? channel : null
    isPresenceSent = false
    presenceTimes = []
    clearTimeout(presenceTimer)
    if (isSubscribed) return sendPresence()
    stopTyping()
    onPresence(false)
  }
  const leaveChannel = keepSubscribed(findTopic, prepare, handleStatus, (tryAgain) =>
    onReopened(conversationId, tryAgain),
  )
  const unsubscribeVisibility = onVisibility(sendPresence)
  const unsubscribeMessages = onRowChange('messages', ({ kind, row }) => {
    if (kind !== 'insert' || row.conversation_id !== conversationId) return
    if (row.sender_id !== me) stopTyping()
  })

  return {
    sendTyping: () => {
      const now = Date.now()
      // Without a joined channel the client would send an HTTP request.
      if (joined === null || now - lastSent < TYPING.every) return
      lastSent = now
      joined
        .send({ type: 'broadcast', event: 'typing', payload: {} })
        .catch((cause: unknown) => logFailure('send typing', cause))
    },
    leave: () => {
      leaveChannel()
      unsubscribeMessages()
      unsubscribeVisibility()
      clearTimeout(presenceTimer)
      joined = null
      stopTyping()
      onPresence(false)
    },
  }
}

interface ConversationChannel {
  isOtherTyping: boolean
  /** Whether the other member has this conversation open, and both show their activity. */
  isOtherHere: boolean
  /** Call on every change of the text. Throttled. */
  sendTyping(): void
}

/**
 * Typing and presence of the other member in a conversation.
 *
 * @param conversationId null while the server denies access, as it does while this member hides their activity (SET-05)
 */
export function useConversationChannel(conversationId: string | null, epoch: number): ConversationChannel {
  const { id: me, profile } = useMe()
  const sharedId = profile.show_activity_status ? conversationId : null
  const [isOtherTyping, setIsOtherTyping] = useState(false)
  const [isOtherHere, setIsOtherHere] = useState(false)
  const joined = useRef<JoinedConversation | null>(null)

  useEffect(() => {
    if (sharedId === null) return
    const conversation = joinConversation({
      conversationId: sharedId,
      epoch,
      me,
      onTyping: setIsOtherTyping,
      onPresence: setIsOtherHere,
    })
    joined.current = conversation
    return () => {
      joined.current = null
      conversation.leave()
    }
  }, [sharedId, epoch, me])

  const sendTyping = useCallback(() => joined.current?.sendTyping(), [])
  return { isOtherTyping, isOtherHere, sendTyping }
}
