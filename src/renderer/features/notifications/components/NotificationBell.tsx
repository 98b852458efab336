import { Bell } from 'lucide-react'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { NAV_ITEM_CLASS, NavWord } from '#/renderer/components/NavItem'
import { UnreadBadge } from '#/renderer/components/UnreadBadge'
import { loadAhead } from '#/renderer/lib/browser/load-ahead-store'
import { texts } from '#/renderer/lib/texts'
import { useUnreadCount } from '../queries'
import { useLiveNotifications } from '../useLiveNotifications'

const load = loadAhead(() => import('./NotificationPopover'))

/** The bell with its badge (NAV-02) and its popover. */
export function NotificationBell() {
  const unread = useUnreadCount()
  const hasArrived = useLiveNotifications()
  return (
    <>
      <LazyPopup
        kind="dialog"
        load={load}
        trigger={(props) => (
          <button
            type="button"
            aria-label={texts.nav.notifications(unread)}
            title={texts.notifications.title}
            className={NAV_ITEM_CLASS}
            {...props}
          >
            <Bell />
            <NavWord>{texts.notifications.title}</NavWord>
            <UnreadBadge count={unread} testId="unread-badge" />
          </button>
        )}
      >
        {({ NotificationPopover }, { trigger }) => <NotificationPopover trigger={trigger} />}
      </LazyPopup>
      <span role="status" className="sr-only">
        {hasArrived && unread > 0 && texts.notifications.unread(unread)}
      </span>
    </>
  )
}
