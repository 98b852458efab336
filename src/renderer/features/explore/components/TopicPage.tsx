import { useQueryClient } from '@tanstack/react-query'
import { Hash, MapPin } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { CLIPPED_TEXT } from '#/renderer/components/clipped-text'
import { Isolated } from '#/renderer/components/Isolated'
import { useMe } from '#/renderer/features/auth'
import { GridLayoutToggle, PostGrid } from '#/renderer/features/profile'
import { type TopicKind, topicName } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { TOPIC_POSTS_COUNTED } from '#/shared/limits'
import { setFollowsHashtag } from '../mutations'
import { useFollowsHashtagQuery, useTopicCountQuery } from '../queries'

interface TopicPageProps {
  kind: TopicKind
  name: string
}

/** The posts with a hashtag or of a place, with their number. */
export function TopicPage({ kind, name }: TopicPageProps) {
  const { data: count } = useTopicCountQuery(kind, name)
  const Icon = kind === 'hashtag' ? Hash : MapPin
  return (
    <div className="group/grid">
      <header className="mb-7 flex flex-wrap items-center gap-x-5 gap-y-3">
        <span aria-hidden="true" className="grid size-16 shrink-0 place-items-center rounded-full bg-lifted">
          <Icon className="size-7 stroke-[1.5] text-quiet" />
        </span>
        <div className="min-w-0 flex-1">
          <h1 className={`font-display text-[28px] leading-tight [overflow-wrap:anywhere] ${CLIPPED_TEXT}`}>
            <Isolated>{kind === 'hashtag' ? `#${name}` : name}</Isolated>
          </h1>
          <p className="min-h-6 text-quiet">
            {count !== undefined &&
              texts.explore.posts(Math.min(count, TOPIC_POSTS_COUNTED), count > TOPIC_POSTS_COUNTED)}
          </p>
        </div>
        <GridLayoutToggle />
        {kind === 'hashtag' && <FollowHashtagButton tag={topicName(name)} />}
      </header>
      <PostGrid kind={kind} about={name} />
    </div>
  )
}

function FollowHashtagButton({ tag }: { tag: string }) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: isFollowed } = useFollowsHashtagQuery(tag)
  return (
    <Button
      variant={isFollowed === true ? 'secondary' : 'primary'}
      disabled={isFollowed === undefined}
      onClick={() => void setFollowsHashtag(client, me, tag, isFollowed !== true)}
    >
      {isFollowed === true ? texts.people.unfollow : texts.people.follow}
      <span className="sr-only"> #{tag}</span>
    </Button>
  )
}
