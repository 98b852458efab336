import { Link } from 'react-router-dom'
import { Button, buttonClass } from '#/renderer/components/Button'
import { OptionsMenu } from '#/renderer/components/OptionsMenu'
import { OwnMenuItems } from '#/renderer/features/auth'
import { useStartConversation } from '#/renderer/features/messages'
import { FollowButton } from '#/renderer/features/people'
import { MemberMenuItems } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Profile } from '../queries'

interface ProfileActionsProps {
  profile: Profile
  isOwn: boolean
}

/** The actions of the member's own profile or of another member's (PROF-03). */
export function ProfileActions({ profile, isOwn }: ProfileActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2.5 max-sm:gap-1.5 max-sm:[&>:not([aria-haspopup])]:px-2.5">
      {isOwn ? <OwnActions /> : <OthersActions profile={profile} />}
    </div>
  )
}

function OthersActions({ profile }: { profile: Profile }) {
  const conversation = useStartConversation()
  return (
    <>
      <FollowButton member={profile} />
      <Button onClick={() => conversation.mutate(profile.id)} disabled={conversation.isPending}>
        {texts.profile.message}
      </Button>
      <OptionsMenu label={texts.profile.options}>
        <MemberMenuItems member={profile} />
      </OptionsMenu>
    </>
  )
}

function OwnActions() {
  return (
    <>
      <Link to="/edit-profile" className={buttonClass('secondary')}>
        {texts.profile.edit}
      </Link>
      <OptionsMenu label={texts.profile.options}>
        <OwnMenuItems />
      </OptionsMenu>
    </>
  )
}
