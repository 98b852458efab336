import { Bell } from 'lucide-react'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { badge, texts } from '#/renderer/lib/texts'
import { useUnreadCount } from './queries'
import { useLiveNotifications } from './useLiveNotifications'

/** The bell with its badge (NAV-02), and the latest notifications behind it. */
export function NotificationBell() {
  const unread = useUnreadCount()
  const hasArrived = useLiveNotifications()
  return (
    <>
      <LazyPopup
        kind="dialog"
        load={() => import('./NotificationPopover')}
        trigger={(props) => (
          <button
            type="button"
            aria-label={texts.nav.notifications(unread)}
            title={texts.notifications.title}
            className="relative grid size-10 place-items-center rounded-md transition-colors duration-150 hover:bg-sunk [&_svg]:size-5.5 [&_svg]:stroke-[1.75]"
            {...props}
          >
            <Bell />
            {unread > 0 && (
              <span
                data-testid="unread-badge"
                aria-hidden="true"
                className="absolute end-0.5 top-0.5 h-[17px] min-w-[17px] rounded-full bg-accent px-1 text-center font-semibold text-[10.5px] text-on-accent leading-[17px] ring-2 ring-paper"
              >
                {badge(unread)}
              </span>
            )}
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
