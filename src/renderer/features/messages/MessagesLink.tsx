import { MessageCircle } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { NAV_LINK_CLASS, NavWord } from '#/renderer/components/NavItem'
import { UnreadBadge } from '#/renderer/components/UnreadBadge'
import { texts } from '#/renderer/lib/texts'
import { useLiveUnread, useUnreadConversations } from './queries/live'

/** The link of the navigation to the messages, with the number of unread conversations (MSG-07). */
export function MessagesLink() {
  useLiveUnread()
  const unread = useUnreadConversations()
  return (
    <NavLink
      to="/messages"
      end
      aria-label={texts.nav.messages(unread)}
      title={texts.pages.messages}
      className={NAV_LINK_CLASS}
    >
      <MessageCircle />
      <NavWord>{texts.pages.messages}</NavWord>
      <UnreadBadge count={unread} testId="unread-conversations" />
    </NavLink>
  )
}
