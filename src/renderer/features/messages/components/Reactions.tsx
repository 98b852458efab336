import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { reactionOf, useOwnReaction } from '../reactions'

interface ReactionsProps {
  message: Message
  otherId: string
  otherName: string
}

/** How the two reacted to a message. */
export function Reactions({ message, otherId, otherName }: ReactionsProps) {
  const { id: me } = useMe()
  const own = useOwnReaction(message)
  const others = reactionOf(message, otherId)
  const shown = [
    { id: otherId, name: otherName, emoji: others },
    { id: me, name: texts.messages.you, emoji: own },
  ].filter(({ emoji }) => emoji !== null)
  if (shown.length === 0 || message.deleted_at !== null) return null
  return (
    <ul className="relative -mt-1.5 flex gap-0.5 rounded-full border border-line bg-raised px-1.5 py-px text-[14px] leading-[1.4]">
      {shown.map(({ id, name, emoji }) => {
        const words = texts.messages.reaction(name, emoji ?? '')
        return (
          <li key={id} title={words}>
            <span className="sr-only">{words}</span>
            <span aria-hidden="true">{emoji}</span>
          </li>
        )
      })}
    </ul>
  )
}
