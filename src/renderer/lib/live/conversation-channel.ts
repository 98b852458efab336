import { logFailure } from '#/renderer/lib/logger'
import { type RealtimeChannel, supabase } from '#/renderer/lib/supabase'
import { isVisible, onVisibility } from '#/renderer/lib/visibility'
import { onCaughtUp, onMessageEvent } from './events'
import { keepSubscribed } from './subscription'

/**
 * Shortest time between two typing messages, and how long one is shown, in milliseconds. Realtime's quotas are shared by the whole project:
 * docs/self-hosting.md calculates what these limits allow.
 */
const TYPING = { every: 5_000, shown: 7_000 } as const
/** The most presence messages of a joined channel within a time in milliseconds. Hosted closes the channel at 6 in 30 s. */
const PRESENCE = { most: 3, within: 30_000 } as const

export interface ConversationOptions {
  conversationId: string
  me: string
  /** Whether the other may know that this member has the conversation open, while it can be seen (SET-05). */
  isPresenceShown: boolean
  onTyping: (isOtherTyping: boolean) => void
  onPresence: (isOtherHere: boolean) => void
}

export interface JoinedConversation {
  /** Call on every change of what is being written; most calls send nothing. */
  sendTyping(): void
  leave(): void
}

/** Tells when a conversation that was closed may be open again: a message went through, somebody looks, or begins anew. */
function onReopened(conversationId: string, tryAgain: () => void): () => void {
  const ignore = [
    onMessageEvent(({ row }) => {
      if (row.conversation_id === conversationId) tryAgain()
    }),
    onVisibility(tryAgain),
    onCaughtUp(tryAgain),
  ]
  return () => {
    for (const end of ignore) end()
  }
}

/** Joins the private channel of a conversation's two members, which tells who types and who is there. */
export function joinConversation(options: ConversationOptions): JoinedConversation {
  const { conversationId, me, isPresenceShown, onTyping, onPresence } = options
  let joined: RealtimeChannel | null = null
  let lastSent = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTyping = () => {
    clearTimeout(timer)
    onTyping(false)
  }

  /** The server was told that this member is there, since the channel was joined. */
  let isTold = false
  /** When the last presence messages were sent, oldest first. */
  let presenceTimes: number[] = []
  let presenceTimer: ReturnType<typeof setTimeout> | undefined
  const tellPresence = () => {
    clearTimeout(presenceTimer)
    if (!isPresenceShown || joined === null || isTold === isVisible()) return
    const now = Date.now()
    presenceTimes = presenceTimes.filter((time) => time > now - PRESENCE.within)
    const [oldest = now] = presenceTimes
    if (presenceTimes.length === PRESENCE.most) {
      presenceTimer = setTimeout(tellPresence, oldest + PRESENCE.within - now)
      return
    }
    presenceTimes.push(now)
    isTold = isVisible()
    const telling = isTold ? joined.track({}) : joined.untrack()
    telling.catch((cause: unknown) => logFailure('tell presence', cause))
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
  const handleStatus = (isSubscribed: boolean, channel: RealtimeChannel) => {
    joined = isSubscribed ? channel : null
    isTold = false
    presenceTimes = []
    clearTimeout(presenceTimer)
    if (isSubscribed) return tellPresence()
    stopTyping()
    onPresence(false)
  }
  const leaveChannel = keepSubscribed(`conversation:${conversationId}`, prepare, handleStatus, (tryAgain) =>
    onReopened(conversationId, tryAgain),
  )
  const ignoreVisibility = onVisibility(tellPresence)
  const ignoreMessages = onMessageEvent(({ kind, row }) => {
    if (kind !== 'insert' || row.conversation_id !== conversationId) return
    if (row.sender_id !== me) stopTyping()
  })

  return {
    sendTyping: () => {
      const now = Date.now()
      // Without a channel the client would send by a request of its own: not worth one.
      if (joined === null || now - lastSent < TYPING.every) return
      lastSent = now
      joined
        .send({ type: 'broadcast', event: 'typing', payload: {} })
        .catch((cause: unknown) => logFailure('tell typing', cause))
    },
    leave: () => {
      leaveChannel()
      ignoreMessages()
      ignoreVisibility()
      clearTimeout(presenceTimer)
      joined = null
      stopTyping()
      onPresence(false)
    },
  }
}
