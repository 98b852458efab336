import { Bell } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { Spinner } from '#/renderer/components/Spinner'
import { badge, texts } from '#/renderer/lib/texts'
import { useUnreadCount } from './queries'
import { useLiveNotifications } from './useLiveNotifications'

const NotificationList = lazy(() =>
  import('./NotificationList').then((module) => ({ default: module.NotificationList })),
)

/** The bell with its badge (NAV-02), and the latest notifications behind it. */
export function NotificationBell() {
  const unread = useUnreadCount()
  const hasArrived = useLiveNotifications()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
        <Popover.Trigger
          aria-label={texts.nav.notifications(unread)}
          title={texts.notifications.title}
          className="relative grid size-10 place-items-center rounded-md transition-colors duration-150 hover:bg-sunk [&_svg]:size-5.5 [&_svg]:stroke-[1.75]"
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
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="end"
            sideOffset={6}
            collisionPadding={12}
            aria-label={texts.notifications.title}
            className="z-50 w-[min(380px,calc(100vw-24px))] animate-appear overflow-hidden rounded-lg border border-line bg-raised shadow-card"
          >
            <Suspense
              fallback={
                <div className="grid h-40 place-items-center">
                  <Spinner />
                </div>
              }
            >
              <NotificationList onClose={() => setIsOpen(false)} />
            </Suspense>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <span role="status" className="sr-only">
        {hasArrived && unread > 0 && texts.notifications.unread(unread)}
      </span>
    </>
  )
}
