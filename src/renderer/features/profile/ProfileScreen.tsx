import { useParams } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { RichText } from '#/renderer/components/RichText'
import { PageSpinner } from '#/renderer/components/Spinner'
import { texts } from '#/renderer/lib/texts'
import { PostGrid } from './components/PostGrid'
import { type Profile, useProfileQuery } from './queries'

/** /profile/:username: who it is, and their newest posts. */
export function ProfileScreen() {
  const username = (useParams().username ?? '').toLowerCase()
  const { data: profile } = useProfileQuery(username)
  // Also after a fetch error, which is no 'not found': the query is tried again once the server answers.
  if (profile === undefined) return <PageSpinner />
  if (profile === null) return <NotFound />
  return (
    <main id="content" className="mx-auto max-w-234 px-3 pt-9 pb-16 sm:px-5">
      <ProfileHeader profile={profile} />
      <h2 className="mb-px border-line border-t text-center font-semibold text-[12px] tracking-[.08em]">
        <span className="inline-block border-ink border-t-2 leading-12">{texts.profile.tabs.posts}</span>
      </h2>
      <PostGrid profile={profile} />
    </main>
  )
}

function ProfileHeader({ profile }: { profile: Profile }) {
  return (
    <header className="flex items-center gap-6 px-1 pb-8 sm:gap-14 sm:px-7.5">
      <Avatar username={profile.username} src={profile.avatar_url} size={144} className="max-sm:size-20!" />
      <div className="min-w-0">
        <h1 className="truncate pb-1 font-display font-medium text-[27px] leading-tight">
          {profile.username}
        </h1>
        <ul className="mt-2.5 mb-3 flex flex-wrap gap-x-7 gap-y-1 text-quiet">
          <li>{texts.profile.posts(profile.post_count)}</li>
          <li>{texts.profile.followers(profile.follower_count)}</li>
          <li>{texts.profile.following(profile.following_count)}</li>
        </ul>
        <p className="font-semibold">{profile.full_name}</p>
        {profile.bio !== null && (
          <p className="text-quiet">
            <RichText text={profile.bio} />
          </p>
        )}
      </div>
    </header>
  )
}

function NotFound() {
  return (
    <main id="content" className="grid min-h-[60vh] place-items-center p-6 text-center">
      <div>
        <h1 className="font-display text-[26px]">{texts.profile.notFoundTitle}</h1>
        <p className="mt-1.5 text-quiet">{texts.profile.notFoundBody}</p>
      </div>
    </main>
  )
}
