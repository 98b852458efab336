import { Popover } from 'radix-ui'
import { type ReactElement, useRef, useState } from 'react'
import { ListEnd } from '#/renderer/components/ListEnd'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { returnFocusToTrigger } from '#/renderer/lib/browser/focus'
import { focusIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { useHasRail } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'
import { withoutRequests } from '../model'
import { useMarkReadMutation, useMarkVisibleAsRead } from '../mutations'
import { useFollowRequestsQuery, useNotificationsQuery } from '../queries'
import { FollowRequests } from './FollowRequests'
import { NotificationItem } from './NotificationItem'

/** The popover, open on its first render, for `LazyPopup`. */
export function NotificationPopover({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setIsOpen] = useState(true)
  const hasRail = useHasRail()
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          // Where the rail is at the right, there is no room: it opens at the other side.
          side={hasRail ? 'right' : 'bottom'}
          align={hasRail ? 'start' : 'end'}
          sideOffset={6}
          collisionPadding={12}
          aria-label={texts.notifications.title}
          onCloseAutoFocus={returnFocusToTrigger}
          className="z-50 w-[min(380px,calc(100vw-24px))] animate-appear overflow-hidden rounded-lg border border-line bg-raised shadow-card"
        >
          <NotificationList onClose={() => setIsOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Follow requests, then an infinite list of groups of notifications, latest first. */
export function NotificationList({ onClose }: { onClose: () => void }) {
  const scroller = useRef<HTMLDivElement>(null)
  const query = useNotificationsQuery()
  const { data: list, isPending, hasNextPage, refetch } = query
  const { data: requests = [] } = useFollowRequestsQuery()
  const others = withoutRequests(list, requests)
  const marking = useMarkReadMutation()
  useMarkVisibleAsRead(requests)
  const hasUnread = others.some(({ read }) => !read)
  return (
    <>
      <div className="flex h-13 items-center justify-between border-line border-b ps-4 pe-2.5">
        <h2 className="font-semibold text-[15.5px]">{texts.notifications.title}</h2>
        {hasUnread && (
          <button
            type="button"
            onClick={() => {
              marking.mutate('all')
              focusIfLost(() => scroller.current?.closest<HTMLElement>('[role=dialog]'))
            }}
            className="rounded-sm px-2 py-1 font-medium text-[13px] text-accent hover:bg-accent-wash"
          >
            {texts.notifications.markAll}
          </button>
        )}
      </div>
      {list === undefined && (
        <div className="grid h-40 place-items-center">
          <SpinnerOrRetry hasFailed={!isPending} onRetry={refetch} />
        </div>
      )}
      {list?.length === 0 && !hasNextPage && requests.length === 0 && (
        <div className="px-6 py-12 text-center">
          <p className="font-display text-[20px]">{texts.notifications.none}</p>
          <p className="mt-1 text-[14px] text-quiet">{texts.notifications.noneBody}</p>
        </div>
      )}
      <div ref={scroller} className="max-h-[min(480px,70vh)] overflow-y-auto overscroll-contain">
        <FollowRequests requests={requests} onClose={onClose} />
        <ul className="py-1.5">
          {others.map((group) => (
            <NotificationItem
              key={group.group_key}
              group={group}
              onRead={() => marking.mutate(group)}
              onChoose={() => {
                if (!group.read) marking.mutate(group)
                onClose()
              }}
            />
          ))}
          {list !== undefined && (
            <ListEnd query={query} scroller={scroller} label={texts.notifications.more} />
          )}
        </ul>
      </div>
    </>
  )
}
