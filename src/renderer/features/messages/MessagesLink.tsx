import { MessageCircle } from 'lucide-react'
import { NavLink } from 'react-router-dom'
import { badge, texts } from '#/renderer/lib/texts'
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
      {unread > 0 && (
        <span
          data-testid="unread-conversations"
          aria-hidden="true"
          className="absolute end-0.5 top-0.5 h-[17px] min-w-[17px] rounded-full bg-accent px-1 text-center font-semibold text-[10.5px] text-on-accent leading-[17px] ring-2 ring-paper"
        >
          {badge(unread)}
        </span>
      )}
    </NavLink>
  )
}
