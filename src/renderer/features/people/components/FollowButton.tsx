import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'
import { type Followable, useFollow } from '../follow'
import type { Relation } from '../relation'

const LABEL: Record<Relation, string> = {
  none: texts.people.follow,
  requested: texts.people.requested,
  following: texts.people.unfollow,
}

interface FollowButtonProps {
  member: Followable & { username: string }
  /** In a list of members each button says whom it is about. */
  isInList?: boolean
}

/** Follows a member, or asks a private one; pressed again, it takes that back. */
export function FollowButton({ member, isInList = false }: FollowButtonProps) {
  const { relation, toggle } = useFollow(member)
  return (
    <Button
      variant={relation === undefined || relation === 'none' ? 'primary' : 'secondary'}
      onClick={toggle}
      disabled={relation === undefined}
      title={relation === 'requested' ? texts.people.cancelRequest : undefined}
      className={isInList ? 'h-8! px-3.5! text-[13.5px]!' : ''}
    >
      {LABEL[relation ?? 'none']}
      {isInList && <span className="sr-only"> {member.username}</span>}
    </Button>
  )
}
