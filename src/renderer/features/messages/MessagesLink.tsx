import { MessageCircle } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { UnreadBadge } from '#/renderer/components/UnreadBadge'
import { texts } from '#/renderer/lib/texts'
import { useLiveUnread, useUnreadConversations } from './queries/live'

/** The header's link to the messages, with the number of unread conversations (MSG-07). */
export function MessagesLink({ className }: { className: string }) {
  useLiveUnread()
  const unread = useUnreadConversations()
  return (
    <NavLink
      to="/messages"
      end
      aria-label={texts.nav.messages(unread)}
      title={texts.pages.messages}
      className={className}
    >
      <MessageCircle />
      <UnreadBadge count={unread} testId="unread-conversations" />
    </NavLink>
  )
}
