import { useQueryClient } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { EmptyState } from '#/renderer/components/EmptyState'
import { PageSpinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { PeopleDialog, useRelationQuery } from '#/renderer/features/people'
import { UnblockButton, useBlockedNameQuery } from '#/renderer/features/safety'
import { useModalRoute } from '#/renderer/lib/navigation/modal-route'
import { texts } from '#/renderer/lib/texts'
import { PrivateNotice } from './components/PrivateNotice'
import { ProfileHeader, ProfileNames } from './components/ProfileHeader'
import { ProfileTabs } from './components/ProfileTabs'
import { findKnownMember } from './known-member'
import { type Profile, useProfileQuery, useRenamedToQuery } from './queries'

/** /profile/:username. */
export function ProfileScreen() {
  const username = (useParams().username ?? '').toLowerCase()
  const { data: profile } = useProfileQuery(username)
  // Also after a fetch error, which is not 'not found': the query retries when the server responds again.
  if (profile === undefined) return <LoadingProfile key={username} username={username} />
  if (profile === null) return <NotFound username={username} />
  return <MemberProfile key={profile.id} profile={profile} />
}

/** Name and picture, where another screen has loaded them, above a spinner. */
function LoadingProfile({ username }: { username: string }) {
  const client = useQueryClient()
  const [known] = useState(() => findKnownMember(client, username))
  if (known === null) return <PageSpinner />
  return (
    <main id="content" className="mx-auto max-w-234 px-3 pt-9 pb-16 sm:px-5">
      <ProfileNames member={known} />
      <PageSpinner />
    </main>
  )
}

function MemberProfile({ profile }: { profile: Profile }) {
  const { id: me } = useMe()
  const isOwn = profile.id === me
  const { data: relation, isPending } = useRelationQuery(profile.id)
  const isOpen = isOwn || !profile.is_private || relation === 'following'
  return (
    <main id="content" className="mx-auto max-w-420 px-3 pt-9 pb-16 sm:px-5">
      <div className="mx-auto max-w-224">
        <ProfileHeader profile={profile} isOwn={isOwn} isOpen={isOpen} />
      </div>
      {isOpen ? (
        <>
          <ProfileTabs memberId={profile.id} isOwn={isOwn} />
          <PeopleModal memberId={profile.id} />
        </>
      ) : isPending ? (
        <PageSpinner />
      ) : (
        <PrivateNotice hasAsked={relation === 'requested'} />
      )}
    </main>
  )
}

/** Nobody has this username: redirects to the member who had it last (`renamed_to` in supabase/schema.sql), if there is one. */
function NotFound({ username }: { username: string }) {
  const { search } = useLocation()
  const { data: blocked } = useBlockedNameQuery(username)
  const { data: renamed, isPending } = useRenamedToQuery(username)
  if (isPending) return <PageSpinner />
  if (renamed != null) return <Navigate to={{ pathname: `/profile/${renamed}`, search }} replace />
  return (
    <main id="content" className="grid min-h-[60vh] place-items-center p-6">
      <EmptyState
        Icon={UserX}
        title={texts.profile.notFoundTitle}
        body={texts.profile.notFoundBody}
        heading="h1"
      >
        {blocked != null && (
          <div className="mt-6 grid justify-items-center gap-3">
            <p>{texts.safety.blockedHere}</p>
            <UnblockButton member={blocked} />
          </div>
        )}
      </EmptyState>
    </main>
  )
}

/** The list of followers or followed members in the `people` parameter (PROF-12). */
export function PeopleModal({ memberId }: { memberId: string }) {
  const { value: kind, close } = useModalRoute('people')
  if (kind !== 'followers' && kind !== 'following') return null
  return <PeopleDialog list={{ kind, id: memberId }} onClose={close} />
}
