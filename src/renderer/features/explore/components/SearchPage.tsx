import { useId } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { CLIPPED_TEXT } from '#/renderer/components/clipped-text'
import { Isolated } from '#/renderer/components/Isolated'
import { MemberNames } from '#/renderer/components/MemberNames'
import { useMemberSearchQuery } from '#/renderer/lib/content/member-search'
import { type FoundTopic, useTopicSearchQuery } from '#/renderer/lib/content/topic-search'
import { placePath } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import { PhotosSection } from './PhotosSection'
import { Hashtags, TopicLinks } from './TopicLinks'

const NO_TOPICS: FoundTopic[] = []

/** Everything that a search finds: people, hashtags, places and posts (FEED-22). */
export function SearchPage({ query }: { query: string }) {
  const people = useId()
  const { members = [] } = useMemberSearchQuery(query, true)
  const { data: topics = NO_TOPICS } = useTopicSearchQuery(query, true)
  const labelsOf = (kind: FoundTopic['kind']) =>
    topics.flatMap((topic) => (topic.kind === kind ? [topic.label] : []))
  return (
    <>
      <h1 className={`font-display text-[28px] leading-tight [overflow-wrap:anywhere] ${CLIPPED_TEXT}`}>
        {texts.search.results} “<Isolated>{query}</Isolated>”
      </h1>
      {members.length > 0 && (
        <section aria-labelledby={people} className="mt-6">
          <h2 id={people} className="mb-2 font-semibold text-[15px]">
            {texts.search.people}
          </h2>
          <ul className="-mx-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))]">
            {members.map((member) => (
              <li key={member.id} className="min-w-0">
                <Link
                  to={`/profile/${member.username}`}
                  className="flex items-center gap-3 rounded-md p-2 hover:bg-sunk"
                >
                  <Avatar member={member} size={40} />
                  <MemberNames username={member.username} fullName={member.full_name} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Hashtags title={texts.search.groups.hashtag} tags={labelsOf('hashtag')} />
      <TopicLinks
        title={texts.search.groups.place}
        topics={labelsOf('place').map((label) => ({ label, path: placePath(label) }))}
      />
      <PhotosSection title={texts.search.posts} kind="search" about={query} />
    </>
  )
}
