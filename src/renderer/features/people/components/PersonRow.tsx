import { X } from 'lucide-react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { MemberNames } from '#/renderer/components/MemberNames'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { Person } from '../lists'
import { FollowButton } from './FollowButton'

interface PersonRowProps {
  person: Person
  /** Only in the list of the member's own followers. */
  onRemove?: () => void
}

export function PersonRow({ person, onRemove }: PersonRowProps) {
  const { id: me } = useMe()
  const { username, full_name, avatar_url } = person
  return (
    <li className="flex items-center gap-3 px-6 py-2 hover:bg-sunk">
      <Link to={`/profile/${username}`} className="flex min-w-0 flex-1 items-center gap-3 rounded-sm">
        <Avatar username={username} src={avatar_url} size={40} />
        <MemberNames username={username} fullName={full_name} />
      </Link>
      {person.id !== me && <FollowButton member={person} isInList />}
      {onRemove !== undefined && (
        <IconButton
          label={`${texts.people.remove} ${username}`}
          size="small"
          onClick={onRemove}
          className="text-quiet"
        >
          <X />
        </IconButton>
      )}
    </li>
  )
}
