import { Lock } from 'lucide-react'
import { Link, useLocation } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Button, buttonClass } from '#/renderer/components/Button'
import { CLIPPED_TEXT } from '#/renderer/components/clipped-text'
import { Fold } from '#/renderer/components/Fold'
import { Isolated } from '#/renderer/components/Isolated'
import { OptionsMenu } from '#/renderer/components/OptionsMenu'
import { AddressText } from '#/renderer/components/RichText'
import { OwnMenuItems } from '#/renderer/features/auth'
import { useStartConversation } from '#/renderer/features/messages'
import { FollowButton } from '#/renderer/features/people'
import { MemberMenuItems, MutedNote } from '#/renderer/features/safety'
import { ShareButton } from '#/renderer/features/sharing'
import { StoryAvatar } from '#/renderer/features/stories'
import { modalLink } from '#/renderer/lib/navigation/modal-route'
import { formatCount, shortCount, texts } from '#/renderer/lib/texts'
import type { KnownMember } from '../known-member'
import type { Profile } from '../queries'
import { websiteLink } from '../website'

interface ProfileHeaderProps {
  profile: Profile
  isOwn: boolean
  /** Whether the counts link to their lists. */
  isOpen: boolean
}

const HEADER_CLASS = 'grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-4 px-1 pb-8 sm:gap-x-14 sm:px-7.5'

/** Picture, names, counts and bio (PROF-02). */
export function ProfileHeader({ profile, isOwn, isOpen }: ProfileHeaderProps) {
  return (
    <header className={HEADER_CLASS}>
      <div className="sm:row-span-2 sm:self-start">
        <StoryAvatar
          member={profile}
          isOpen={isOpen}
          size={144}
          className="max-sm:size-20! max-sm:text-[32px]!"
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2.5 sm:self-end">
        <h1 className="wrap-anywhere min-w-0 pb-1 font-display font-medium text-[27px] leading-tight">
          {profile.username}
          {isOwn && profile.is_private && (
            <Lock
              role="img"
              aria-label={texts.settings.privateAccount}
              className="ms-2 inline size-4.5 text-quiet"
            />
          )}
        </h1>
        {!isOwn && profile.follows_me.length > 0 && (
          <span className="rounded-sm bg-lifted px-2 py-0.5 font-medium text-[12.5px] text-quiet">
            {texts.people.followsYou}
          </span>
        )}
        <ProfileActions profile={profile} isOwn={isOwn} />
      </div>
      <div className="min-w-0 max-sm:col-span-2 sm:self-start">
        <Counts profile={profile} isOpen={isOpen} />
        {profile.full_name !== '' && (
          <p className={`font-semibold [overflow-wrap:anywhere] ${CLIPPED_TEXT}`}>
            <Isolated>{profile.full_name}</Isolated>
          </p>
        )}
        {profile.bio !== '' && (
          <div className="text-quiet">
            <Fold id={profile.id} text={profile.bio} place="bio" buttonClass="hover:text-ink" />
          </div>
        )}
        {profile.website !== null && <Website website={profile.website} />}
        {!isOwn && <MutedNote member={profile} />}
      </div>
    </header>
  )
}

/** Picture and names at their places in the header, while the rest is loading. */
export function ProfileNames({ member }: { member: KnownMember }) {
  return (
    <header className={HEADER_CLASS}>
      <div className="sm:row-span-2 sm:self-start">
        <Avatar member={member} size={144} className="max-sm:size-20! max-sm:text-[32px]!" />
      </div>
      <div className="flex min-h-9.5 min-w-0 items-center sm:self-end">
        <h1 className="wrap-anywhere min-w-0 pb-1 font-display font-medium text-[27px] leading-tight">
          {member.username}
        </h1>
      </div>
      <div className="min-w-0 max-sm:col-span-2 sm:self-start">
        {/* The line of the counts. */}
        <div aria-hidden="true" className="mb-3 h-[1lh]" />
        {member.full_name !== '' && (
          <p className={`font-semibold [overflow-wrap:anywhere] ${CLIPPED_TEXT}`}>
            <Isolated>{member.full_name}</Isolated>
          </p>
        )}
      </div>
    </header>
  )
}

function Website({ website }: { website: string }) {
  const link = websiteLink(website)
  if (link === null) {
    return (
      <p dir="ltr" className="truncate text-quiet">
        {website}
      </p>
    )
  }
  return (
    <a
      href={link.url}
      dir="ltr"
      target="_blank"
      rel="noopener noreferrer"
      className="block w-fit max-w-full truncate rounded-sm font-medium text-accent underline-offset-3 hover:underline"
    >
      <AddressText>{link.label}</AddressText>
    </a>
  )
}

function Counts({ profile, isOpen }: Pick<ProfileHeaderProps, 'profile' | 'isOpen'>) {
  const { post_count, follower_count, following_count } = profile
  return (
    <ul className="mb-3 flex flex-wrap gap-x-7 gap-y-1 text-quiet tabular-nums">
      <li>
        <Count n={post_count} text={texts.profile.posts(post_count)} />
      </li>
      <li>
        <ListCount list="followers" n={follower_count} isOpen={isOpen} />
      </li>
      <li>
        <ListCount list="following" n={following_count} isOpen={isOpen} />
      </li>
    </ul>
  )
}

interface ListCountProps {
  list: 'followers' | 'following'
  n: number
  isOpen: boolean
}

/** A count with a link to its list. */
function ListCount({ list, n, isOpen }: ListCountProps) {
  const location = useLocation()
  const count = <Count n={n} text={texts.profile[list](n)} />
  if (!isOpen) return count
  return (
    <Link {...modalLink(location, 'people', list)} className="rounded-sm underline-offset-3 hover:underline">
      {count}
    </Link>
  )
}

/** `text` starts with the number, which is emphasized. */
function Count({ n, text }: { n: number; text: string }) {
  const whole = formatCount(n)
  const short = shortCount(n)
  return (
    <>
      <b className="font-semibold text-ink" title={short === whole ? undefined : whole}>
        {short}
      </b>
      {text.slice(whole.length)}
    </>
  )
}

interface ProfileActionsProps {
  profile: Profile
  isOwn: boolean
}

/** The actions of the member's own profile or of another member's (PROF-03). */
export function ProfileActions({ profile, isOwn }: ProfileActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2.5 max-sm:gap-1.5 max-sm:[&>:not([aria-haspopup])]:px-2.5">
      {isOwn ? <OwnActions profile={profile} /> : <OthersActions profile={profile} />}
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
      <ShareProfile profile={profile} />
      <OptionsMenu label={texts.profile.options}>
        <MemberMenuItems member={profile} />
      </OptionsMenu>
    </>
  )
}

function OwnActions({ profile }: { profile: Profile }) {
  return (
    <>
      <Link to="/edit-profile" className={buttonClass('secondary')}>
        {texts.profile.edit}
      </Link>
      <ShareProfile profile={profile} />
      <OptionsMenu label={texts.profile.options}>
        <OwnMenuItems />
      </OptionsMenu>
    </>
  )
}

function ShareProfile({ profile: { id, username } }: { profile: Profile }) {
  return <ShareButton source={{ kind: 'profile', id, username }} />
}
