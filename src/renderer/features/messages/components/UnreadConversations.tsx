import { useId } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { conversationPath } from '../address'
import { type Conversation, listPreview, writerOf } from '../model/conversation'
import { useTitle, useWriter } from '../queries/names'
import { ConversationPicture } from './ConversationPicture'

/** Links to unread conversations, latest first. */
export function UnreadConversations({ conversations }: { conversations: readonly Conversation[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="px-6 pb-1.5 font-semibold text-[15px]">
        {texts.messages.unreadTitle}
      </h2>
      <ul>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <UnreadConversation conversation={conversation} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function UnreadConversation({ conversation }: { conversation: Conversation }) {
  const { id: me } = useMe()
  const { name } = useTitle(conversation)
  const writer = useWriter(writerOf(conversation, me)).name
  const { text } = listPreview({ latest: conversation.latest, outgoing: [], draft: '', writer }, me)
  return (
    <Link
      to={conversationPath(conversation.id, 'inbox')}
      className="flex items-center gap-3 px-6 py-2 -outline-offset-2 hover:bg-sunk"
    >
      <ConversationPicture conversation={conversation} size={40} />
      <span className="min-w-0 flex-1 text-[14px] leading-tight">
        <span dir="auto" className="block w-fit max-w-full truncate font-semibold">
          {name}
        </span>
        <span dir="auto" className="block w-fit max-w-full truncate font-semibold text-[13px]">
          {text}
        </span>
      </span>
    </Link>
  )
}
