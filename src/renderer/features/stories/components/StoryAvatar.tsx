import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { useMe } from '#/renderer/features/auth'
import { useNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { storyState, withStory } from '../address'
import { firstToWatch, orderStrip } from '../model'
import { useMemberStoriesQuery } from '../queries'
import { preloadStory } from '../StoryModal'

interface StoryAvatarProps extends ComponentProps<typeof Avatar> {
  member: ComponentProps<typeof Avatar>['member'] & { id: string }
  /** Whether the reader may see the member's stories. */
  isOpen: boolean
}

/** A member's picture. While they have stories, it has their ring and plays them. */
export function StoryAvatar({ isOpen, ...avatar }: StoryAvatarProps) {
  const { id: me } = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  const now = useNow()
  const { id, username } = avatar.member
  const { data: stories } = useMemberStoriesQuery(id, isOpen)
  const [group] = useMemo(() => orderStrip(stories ?? [], { me, muted: NOBODY, now }), [stories, me, now])
  if (group === undefined)
    return (
      <div className="w-fit">
        <Avatar {...avatar} />
      </div>
    )
  const isSeen = id === me || group.isSeen
  const first = firstToWatch(group)
  const handlePreload = () => preloadStory(client, first)
  return (
    <button
      type="button"
      aria-label={texts.stories.ofMember(username)}
      aria-description={id === me ? undefined : isSeen ? texts.strip.seen : texts.strip.unseen}
      onClick={() => void navigate({ search: withStory(search, first.id) }, { state: storyState([id], id) })}
      onPointerEnter={handlePreload}
      onFocus={handlePreload}
      className="relative w-fit rounded-full outline-offset-8 transition-transform duration-150 active:scale-98"
    >
      {/* Around the picture, so that it does not move. */}
      <span className={`absolute rounded-full ${isSeen ? '-inset-1.5 bg-edge' : '-inset-2 story-ring'}`} />
      <span className={`absolute rounded-full bg-paper ${isSeen ? '-inset-[5px]' : '-inset-1'}`} />
      <Avatar {...avatar} className={`relative ${avatar.className ?? ''}`} />
    </button>
  )
}

const NOBODY: ReadonlySet<string> = new Set()
