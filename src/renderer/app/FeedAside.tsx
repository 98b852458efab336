import { useId } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { ErrorBoundary } from '#/renderer/components/ErrorBoundary'
import { MemberNames } from '#/renderer/components/MemberNames'
import { useMe } from '#/renderer/features/auth'
import { useFollowedHashtagsQuery } from '#/renderer/features/explore'
import { UnreadConversations, useLatestUnread } from '#/renderer/features/messages'
import { Suggestions, usePeopleToFollowQuery } from '#/renderer/features/people'
import { hashtagPath } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'

const PEOPLE_SHOWN = 3
const HASHTAGS_SHOWN = 6

interface FeedAsideProps {
  /** Whether people to follow are shown here. */
  hasPeople: boolean
}

/** Beside the feed of the widest windows (FEED-21): the member, people to follow, followed hashtags, unread conversations. */
export function FeedAside({ hasPeople }: FeedAsideProps) {
  const { profile } = useMe()
  const people = usePeopleToFollowQuery()
  const tags = useFollowedHashtagsQuery()
  const unread = useLatestUnread()
  // All at once: a section that comes later would move those below it.
  const isLoading = people.isPending || tags.isPending || unread.isPending
  const { data: suggested = [] } = people
  const { data: followed = [] } = tags
  return (
    <div className="grid gap-7">
      <Link
        to={`/profile/${profile.username}`}
        className="mx-6 flex items-center gap-3 rounded-sm outline-offset-4"
      >
        <Avatar member={profile} size={52} />
        <MemberNames username={profile.username} fullName={profile.full_name} />
      </Link>
      {!isLoading && (
        <>
          {/* One section that fails leaves the others and the feed. */}
          {hasPeople && suggested.length > 0 && (
            <ErrorBoundary className="py-4">
              <Suggestions people={suggested.slice(0, PEOPLE_SHOWN)} />
            </ErrorBoundary>
          )}
          {followed.length > 0 && (
            <ErrorBoundary className="py-4">
              <FollowedHashtags tags={followed.slice(0, HASHTAGS_SHOWN)} />
            </ErrorBoundary>
          )}
          {unread.conversations.length > 0 && (
            <ErrorBoundary className="py-4">
              <UnreadConversations conversations={unread.conversations} />
            </ErrorBoundary>
          )}
        </>
      )}
    </div>
  )
}

function FollowedHashtags({ tags }: { tags: readonly string[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="px-6 pb-1.5 font-semibold text-[15px]">
        {texts.explore.followed}
      </h2>
      <ul>
        {tags.map((tag) => (
          <li key={tag}>
            <Link
              to={hashtagPath(tag)}
              className="block truncate px-6 py-1.5 text-[14px] -outline-offset-2 hover:bg-sunk"
            >
              <bdi>#{tag}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
