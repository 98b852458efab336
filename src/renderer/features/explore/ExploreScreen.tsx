import { Navigate, useLocation } from 'react-router-dom'
import { FeedLinks } from '#/renderer/features/feed'
import { Suggestions, usePeopleToFollowQuery } from '#/renderer/features/people'
import { exploreRoute } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { PhotosSection } from './components/PhotosSection'
import { SearchPage } from './components/SearchPage'
import { Hashtags } from './components/TopicLinks'
import { TopicPage } from './components/TopicPage'
import { useFollowedHashtagsQuery, usePopularHashtagsQuery } from './queries'

/** Suggested members on Explore. */
const PEOPLE_SHOWN = 4

/** `/?explore`, `/?tag=word`, `/?place=name` (FEED-16) and `/?q=words` (FEED-22). */
export function ExploreScreen() {
  const { search } = useLocation()
  const route = exploreRoute(search)
  if (route === null) return <Navigate to="/" replace />
  return (
    <main id="content" className="mx-auto max-w-420 overflow-x-clip px-3 pt-5 pb-16 sm:px-5">
      {route.page === 'explore' ? (
        <Explore />
      ) : route.page === 'search' ? (
        <SearchPage key={route.name} query={route.name} />
      ) : (
        <TopicPage key={`${route.page} ${route.name}`} kind={route.page} name={route.name} />
      )}
    </main>
  )
}

/** Followed hashtags and those of the last days, members to follow, and recent public photos. */
function Explore() {
  const followed = useFollowedHashtagsQuery()
  const popular = usePopularHashtagsQuery()
  const people = usePeopleToFollowQuery()
  const { data: suggested = [] } = people
  // The sections are above the photos, which would move with each: all of it appears at once.
  const isLoading = followed.isLoading || popular.isLoading || people.isLoading
  return (
    <>
      <h1 className="sr-only">{texts.explore.title}</h1>
      <FeedLinks />
      <div className={isLoading ? 'invisible' : ''}>
        <Hashtags title={texts.explore.followed} tags={followed.data ?? []} />
        <Hashtags title={texts.explore.popular} tags={popular.data?.map(({ label }) => label) ?? []} />
        {suggested.length > 0 && (
          <div className="-mx-6 mt-6">
            <Suggestions people={suggested.slice(0, PEOPLE_SHOWN)} />
          </div>
        )}
        <PhotosSection title={texts.explore.photos} kind="explore" about="" />
      </div>
    </>
  )
}
