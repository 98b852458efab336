import { Check } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactElement, useState } from 'react'
import { Link, type To, useLocation } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { Picture } from '#/renderer/components/Picture'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { withPost } from '#/renderer/features/post'
import { withStory } from '#/renderer/features/stories'
import { returnFocusToTrigger } from '#/renderer/lib/focus'
import { texts } from '#/renderer/lib/texts'
import { whatHappened, withoutRequests } from '../model'
import { useMarkReadMutation, useMarkVisibleAsRead } from '../mutations'
import { type Notification, useFollowRequestsQuery, useNotificationsQuery, useThumbnail } from '../queries'
import { FollowRequests } from './FollowRequests'

/** The popover, open on its first render, for `LazyPopup`. */
export function NotificationPopover({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
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

/** Follow requests, then the latest twenty notifications, newest first. */
export function NotificationList({ onClose }: { onClose: () => void }) {
  const { data: list, isPending, refetch } = useNotificationsQuery()
  const { data: requests = [] } = useFollowRequestsQuery()
  const others = withoutRequests(list, requests)
  const marking = useMarkReadMutation()
  useMarkVisibleAsRead(requests)
  const hasUnread = others.some((item) => !item.read)
  return (
    <>
      <div className="flex h-13 items-center justify-between border-line border-b ps-4 pe-2.5">
        <h2 className="font-semibold text-[15.5px]">{texts.notifications.title}</h2>
        {hasUnread && (
          <button
            type="button"
            onClick={() => marking.mutate('all')}
            className="rounded-sm px-2 py-1 font-medium text-[13px] text-accent hover:bg-accent-wash"
          >
            {texts.notifications.markAll}
          </button>
        )}
      </div>
      {list === undefined && (
        <div className="grid h-40 place-items-center">
          <SpinnerOrRetry hasFailed={!isPending} onRetry={() => void refetch()} />
        </div>
      )}
      {list?.length === 0 && requests.length === 0 && (
        <div className="px-6 py-12 text-center">
          <p className="font-display text-[20px]">{texts.notifications.none}</p>
          <p className="mt-1 text-[14px] text-quiet">{texts.notifications.noneBody}</p>
        </div>
      )}
      <div className="max-h-[min(480px,70vh)] overflow-y-auto overscroll-contain">
        <FollowRequests requests={requests} onClose={onClose} />
        <ul className="py-1.5">
          {others.map((item) => (
            <NotificationItem
              key={item.id}
              item={item}
              onRead={() => marking.mutate(item.id)}
              onChoose={() => {
                if (!item.read) marking.mutate(item.id)
                onClose()
              }}
            />
          ))}
        </ul>
      </div>
    </>
  )
}

interface NotificationItemProps {
  item: Notification
  onRead: () => void
  onChoose: () => void
}

function NotificationItem({ item, onRead, onChoose }: NotificationItemProps) {
  const about = item.comment?.content ?? item.post?.content ?? ''
  const route = useRouteFor(item)
  const thumbnail = useThumbnail(item)
  return (
    <li className={`group relative py-2.5 ps-4 pe-10 hover:bg-sunk ${item.read ? '' : 'bg-accent-wash/60'}`}>
      <Link
        to={route}
        onClick={onChoose}
        className="flex items-center gap-3 rounded-sm after:absolute after:inset-0"
      >
        <Avatar member={item.actor} size={38} />
        <span className="min-w-0 flex-1 text-[14px] leading-snug">
          <span className="wrap-anywhere line-clamp-3">
            <b className="font-semibold">{item.actor.username}</b> {whatHappened(item)}
            {about !== '' && <span className="text-quiet">: {about}</span>}
          </span>
          <RelativeTime at={item.created_at} className="text-[12.5px] text-quiet" />
        </span>
        {thumbnail !== null && (
          <Picture
            source={thumbnail}
            alt=""
            sizes="38px"
            fit="cover"
            className={`w-9.5 shrink-0 rounded-sm bg-sunk ${item.story_id === null ? 'h-9.5' : 'h-12'}`}
          />
        )}
      </Link>
      {!item.read && (
        <span className="absolute inset-y-0 end-1.5 z-10 flex items-center">
          <IconButton
            label={texts.notifications.markRead}
            onClick={onRead}
            size="small"
            className="text-accent"
          >
            <span className="size-2.5 rounded-full bg-accent group-hover:hidden" aria-hidden="true" />
            <Check className="hidden group-hover:block" />
          </IconButton>
        </span>
      )}
    </li>
  )
}

/** The target of a notification (NOTE-04): its post or story in a modal, or else the actor's profile. */
export function useRouteFor({ post_id, story_id, actor }: Notification): To {
  const { pathname, search } = useLocation()
  if (post_id !== null) return { pathname, search: withPost(search, post_id) }
  if (story_id !== null) return { pathname, search: withStory(search, story_id) }
  return `/profile/${actor.username}`
}
