import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { MemberNames } from '#/renderer/components/MemberNames'
import { useMe } from '#/renderer/features/auth'
import type { Person } from '../model'
import { FollowButton } from './FollowButton'

interface PersonRowProps {
  person: Person
  /** A line below the names. */
  note?: string | null
  /** Between the names and the button; below them if it does not fit. */
  beside?: ReactNode
  /** Further actions. */
  children?: ReactNode
}

/** A member in a list, with a follow button. */
export function PersonRow({ person, note = null, beside, children }: PersonRowProps) {
  const { id: me } = useMe()
  const { username, full_name } = person
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-6 py-2 hover:bg-sunk">
      <Link to={`/profile/${username}`} className="flex min-w-32 flex-1 items-center gap-3 rounded-sm">
        <Avatar member={person} size={40} />
        <MemberNames username={username} fullName={full_name} note={note} />
      </Link>
      {beside}
      {person.id !== me && <FollowButton member={person} isInList />}
      {children}
    </li>
  )
}
