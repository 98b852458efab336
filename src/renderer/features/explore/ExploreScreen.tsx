import { useId } from 'react'
import { Link, Navigate, useLocation } from 'react-router-dom'
import { FeedLinks } from '#/renderer/features/feed'
import { PeopleToFollow } from '#/renderer/features/people'
import { PostGrid } from '#/renderer/features/profile'
import { texts } from '#/renderer/lib/texts'
import { exploreRoute, hashtagPath } from '#/renderer/lib/topics'
import { TopicPage } from './components/TopicPage'
import { useFollowedHashtagsQuery, usePopularHashtagsQuery } from './queries'

/** Suggested members on Explore. */
const PEOPLE_SHOWN = 4

/** `/?explore`, `/?tag=word` and `/?place=name` (FEED-16). */
export function ExploreScreen() {
  const { search } = useLocation()
  const route = exploreRoute(search)
  if (route === null) return <Navigate to="/" replace />
  return (
    <main id="content" className="mx-auto max-w-234 overflow-x-clip px-3 pt-5 pb-16 sm:px-5">
      {route.page === 'explore' ? (
        <Explore />
      ) : (
        <TopicPage key={`${route.page} ${route.name}`} kind={route.page} name={route.name} />
      )}
    </main>
  )
}

/** Followed hashtags and those of the last days, members to follow, and recent public photos. */
function Explore() {
  return (
    <>
      <h1 className="sr-only">{texts.explore.title}</h1>
      <FeedLinks />
      <FollowedHashtags />
      <PopularHashtags />
      <div className="-mx-6 mt-6 empty:hidden">
        <PeopleToFollow most={PEOPLE_SHOWN} />
      </div>
      <section aria-labelledby="explore-photos" className="mt-8">
        <h2 id="explore-photos" className="mb-3 font-semibold text-[15px]">
          {texts.explore.photos}
        </h2>
        <PostGrid kind="explore" about="" />
      </section>
    </>
  )
}

function FollowedHashtags() {
  const { data: tags = [] } = useFollowedHashtagsQuery()
  return <Hashtags title={texts.explore.followed} tags={tags} />
}

function PopularHashtags() {
  const { data: hashtags = [] } = usePopularHashtagsQuery()
  return <Hashtags title={texts.explore.popular} tags={hashtags.map(({ label }) => label)} />
}

interface HashtagsProps {
  title: string
  tags: readonly string[]
}

/** Links to hashtags; nothing if there are none. */
function Hashtags({ title, tags }: HashtagsProps) {
  const heading = useId()
  if (tags.length === 0) return null
  return (
    <section aria-labelledby={heading} className="mt-6">
      <h2 id={heading} className="mb-2.5 font-semibold text-[15px]">
        {title}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {tags.map((tag) => (
          <li key={tag} className="max-w-full">
            <Link
              to={hashtagPath(tag)}
              dir="auto"
              className="block truncate rounded-full border border-edge bg-raised px-3.5 text-[14px] leading-8 hover:bg-sunk"
            >
              #{tag}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
