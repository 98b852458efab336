import { MessageCircle } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { UnreadBadge } from '#/renderer/components/UnreadBadge'
import { texts } from '#/renderer/lib/texts'
import { useLiveUnread, useUnreadConversations } from './unread'

/** The header's way to the messages, with the number of conversations that have something unread (MSG-07). */
export function MessagesLink({ className }: { className: string }) {
  useLiveUnread()
  const unread = useUnreadConversations()
  return (
    <NavLink
      to="/messages"
      end
      aria-label={texts.nav.messages(unread)}
      title={texts.messages.title}
      className={className}
    >
      <MessageCircle />
      <UnreadBadge count={unread} testId="unread-conversations" />
    </NavLink>
  )
}
