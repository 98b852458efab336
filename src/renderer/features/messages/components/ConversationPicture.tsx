import { Users } from 'lucide-react'
import { Avatar } from '#/renderer/components/Avatar'
import type { Conversation } from '../model/conversation'
import { useTitle } from '../queries/names'

interface ConversationPictureProps {
  conversation: Conversation
  /** Side in pixels. */
  size: number
}

/** The picture of the other member or of the group; hidden from screen readers, because the name is next to it. */
export function ConversationPicture({ conversation, size }: ConversationPictureProps) {
  const { picture } = useTitle(conversation)
  if (conversation.kind === 'pair' || picture.avatar_path !== null)
    return <Avatar member={picture} size={size} />
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size }}
      className="grid shrink-0 place-items-center rounded-full bg-line text-quiet"
    >
      <Users className="size-1/2 stroke-[1.75]" />
    </span>
  )
}
