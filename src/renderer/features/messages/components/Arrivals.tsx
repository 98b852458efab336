import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { lineOf } from '../preview'
import { othersAfter } from '../unseen'

/** So many of those that arrived stay in the page: each is read once, when it is added. */
const KEPT = 5

interface ArrivalsProps {
  messages: readonly Message[]
  /** Who writes. */
  name: string
  isOtherTyping: boolean
}

/** Reads to those who cannot see it what the other writes while the conversation is open, and that they are typing. */
export function Arrivals({ messages, name, isOtherTyping }: ArrivalsProps) {
  const { id: me } = useMe()
  const [firstId] = useState(messages.at(-1)?.id ?? null)
  return (
    <div aria-live="polite" className="sr-only">
      {othersAfter(messages, firstId, me)
        .slice(-KEPT)
        .map((message) => (
          // An element each: the same words twice are two messages.
          <p key={message.id}>{texts.messages.arrived(name, lineOf(message))}</p>
        ))}
      {isOtherTyping && <p>{texts.messages.typing(name)}</p>}
    </div>
  )
}
