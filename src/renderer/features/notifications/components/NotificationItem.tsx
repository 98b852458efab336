import { Check } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Link, type To, useLocation } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { FoldButton, useFold } from '#/renderer/components/FoldButton'
import { IconButton } from '#/renderer/components/IconButton'
import { Isolated } from '#/renderer/components/Isolated'
import { Picture } from '#/renderer/components/Picture'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { useMe } from '#/renderer/features/auth'
import { FollowButton, useRelationQuery } from '#/renderer/features/people'
import { withPost } from '#/renderer/features/post'
import { withStory } from '#/renderer/features/stories'
import { focusIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { foldedText } from '#/renderer/lib/layout/fold'
import { texts } from '#/renderer/lib/texts'
import { whatHappened } from '../model'
import { type Actor, type NotificationGroup, useThumbnail } from '../queries'

interface NotificationItemProps {
  group: NotificationGroup
  onRead: () => void
  onChoose: () => void
}

/** A group of notifications, with who caused it, what happened and to what. */
export function NotificationItem({ group, onRead, onChoose }: NotificationItemProps) {
  const { actors, actor_count, content, read } = group
  const route = useRouteFor(group)
  const thumbnail = useThumbnail(group)
  const happened = whatHappened(group)
  const fold = useFold<HTMLSpanElement>(
    group.id,
    `${actors[0].username} ${happened}: ${content ?? ''}`.replace(/\s+/g, ' '),
    'notification',
  )
  const handleRead = ({ currentTarget }: MouseEvent) => {
    const link = currentTarget.closest('li')?.querySelector('a')
    onRead()
    // The button is gone then.
    focusIfLost(() => link)
  }
  const time = <RelativeTime at={group.created_at} className="text-[12.5px] text-quiet" />
  return (
    <li
      className={`group relative flex items-center gap-3 py-2.5 ps-4 pe-10 hover:bg-sunk ${read ? '' : 'bg-accent-wash/60'}`}
    >
      <div className="min-w-0 flex-1">
        <Link
          to={route}
          onClick={onChoose}
          className="flex items-center gap-3 rounded-sm after:absolute after:inset-0"
        >
          <ActorPictures actors={actors} />
          <span className="min-w-0 flex-1 text-[14px] leading-snug">
            <span
              {...fold.text}
              className={`wrap-anywhere ${fold.isFolded ? '' : 'block'} ${fold.text.className}`}
            >
              <b className="font-semibold">{actors[0].username}</b>
              {actor_count > 1 && ` ${texts.notifications.andOthers(actor_count - 1)}`} {happened}
              {content !== null && content !== '' && (
                <span className="text-quiet">
                  : <Isolated>{fold.isFolded ? foldedText(content) : content}</Isolated>
                </span>
              )}
            </span>
            {!fold.isLong && time}
          </span>
          {thumbnail !== null && (
            <Picture
              source={thumbnail}
              alt=""
              sizes="38px"
              fit="cover"
              className={`w-9.5 shrink-0 rounded-sm bg-lifted ${group.story_id === null ? 'h-9.5' : 'h-12'}`}
            />
          )}
        </Link>
        {fold.isLong && (
          <p className="ms-12.5 flex items-center gap-x-2.5">
            {time}
            <FoldButton
              isFolded={fold.isFolded}
              onToggle={fold.setFolded}
              className="relative z-10 text-[12.5px] text-quiet hover:text-ink"
            />
          </p>
        )}
      </div>
      {group.type === 'follow' && actor_count === 1 && <FollowBack actor={actors[0]} />}
      {!read && (
        <span className="absolute inset-y-0 end-1.5 z-10 flex items-center">
          <IconButton
            label={texts.notifications.markRead}
            onClick={handleRead}
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

/** The picture of the only member, or those of the latest two, which overlap. */
function ActorPictures({ actors: [latest, other] }: Pick<NotificationGroup, 'actors'>) {
  if (other === undefined) return <Avatar member={latest} size={38} />
  return (
    <span className="relative size-9.5 shrink-0">
      <Avatar member={other} size={27} className="absolute start-0 top-0" />
      <Avatar member={latest} size={27} className="absolute end-0 bottom-0 ring-2 ring-raised" />
    </span>
  )
}

/** Follows a new follower. Missing if the member already followed them when the list was drawn. */
function FollowBack({ actor }: { actor: Actor }) {
  const { data: relation } = useRelationQuery(actor.id)
  const [wasFollowing, setWasFollowing] = useState<boolean>()
  if (wasFollowing === undefined && relation !== undefined) setWasFollowing(relation === 'following')
  if (wasFollowing !== false) return null
  return (
    <span className="relative z-10">
      <FollowButton member={actor} label={texts.people.followBack} isInList />
    </span>
  )
}

/** What a group is about (NOTE-04): its post, at its latest comment, or its story in a modal, the list of followers, or the actor's profile. */
export function useRouteFor(group: NotificationGroup): To {
  const { type, post_id, story_id, comment_id, actors, actor_count } = group
  const { username } = useMe().profile
  const { pathname, search } = useLocation()
  if (post_id !== null) return { pathname, search: withPost(search, post_id, comment_id) }
  if (story_id !== null) return { pathname, search: withStory(search, story_id) }
  if (type === 'follow' && actor_count > 1) return `/profile/${username}?people=followers`
  return `/profile/${actors[0].username}`
}
