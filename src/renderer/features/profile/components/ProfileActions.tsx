import { LogOut, Settings } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Link, useNavigate } from 'react-router-dom'
import { Button, buttonClass } from '#/renderer/components/Button'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { OptionsMenu } from '#/renderer/components/OptionsMenu'
import { signOut } from '#/renderer/features/auth'
import { useStartConversation } from '#/renderer/features/messages'
import { FollowButton } from '#/renderer/features/people'
import { MemberMenuItems } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Profile } from '../queries'

interface ProfileActionsProps {
  profile: Profile
  isOwn: boolean
}

/** What one can do here: on one's own profile other things than on another member's (PROF-03). */
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
  const navigate = useNavigate()
  return (
    <>
      <Link to="/edit-profile" className={buttonClass('secondary')}>
        {texts.profile.edit}
      </Link>
      <OptionsMenu label={texts.profile.options}>
        <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => navigate('/settings')}>
          <Settings aria-hidden="true" />
          {texts.nav.settings}
        </DropdownMenu.Item>
        <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => void signOut()}>
          <LogOut aria-hidden="true" />
          {texts.nav.signOut}
        </DropdownMenu.Item>
      </OptionsMenu>
    </>
  )
}
