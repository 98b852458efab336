import { Link } from 'react-router-dom'
import { buttonClass } from '#/renderer/components/Button'
import { useMe } from '#/renderer/features/auth'
import { PeopleToFollow } from '#/renderer/features/people'
import { texts } from '#/renderer/lib/texts'

/** Suggestions below the empty feed; more would push the first post far down. */
const PEOPLE_SHOWN = 5

/** What a member can do while their feed is empty: post, add a profile picture, follow members. */
export function FirstSteps() {
  const { avatar_url, avatar_path } = useMe().profile
  const hasPicture = avatar_url !== null || avatar_path !== null
  return (
    <div className="mx-auto w-full max-w-110 pb-8">
      <div className="mb-8 flex flex-wrap justify-center gap-2.5">
        <Link to="/create" className={buttonClass('primary')}>
          {texts.feed.createPost}
        </Link>
        {!hasPicture && (
          <Link to="/edit-profile" className={buttonClass('secondary')}>
            {texts.feed.addPicture}
          </Link>
        )}
      </div>
      <PeopleToFollow most={PEOPLE_SHOWN} />
    </div>
  )
}
