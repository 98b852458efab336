import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import type { MessageRow } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import type { Conversation } from '../conversation-list'
import { lineOf } from '../preview'

interface ArrivalsProps {
  messages: readonly MessageRow[]
  conversation: Conversation
}

/** Reads to those who cannot see it what the other writes while the conversation is open. */
export function Arrivals({ messages, conversation }: ArrivalsProps) {
  const { id: me } = useMe()
  const last = messages.at(-1)
  const [firstId] = useState(last?.id)
  const hasArrived = last !== undefined && last.id !== firstId && last.sender_id !== me
  const name = conversation.other?.username ?? texts.messages.member
  return (
    <p aria-live="polite" className="sr-only">
      {hasArrived && texts.messages.arrived(name, lineOf(last))}
    </p>
  )
}
