import { Avatar } from './Avatar'
import { MemberNames } from './MemberNames'

interface MemberOptionProps {
  id: string
  member: { username: string; full_name: string; avatar_url: string | null; avatar_path: string | null }
  isActive: boolean
  onChoose: () => void
  /** The pointer moved over it. */
  onApproach: () => void
}

/** A member in a listbox whose field keeps the focus. */
export function MemberOption({ id, member, isActive, onChoose, onApproach }: MemberOptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // Prevents the field's blur, which would close the list.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={undefined}
      onMouseMove={onApproach}
      className="flex items-center gap-2.5 rounded-sm px-2 py-1.5 aria-selected:bg-sunk"
    >
      <Avatar member={member} size={34} />
      <MemberNames username={member.username} fullName={member.full_name} />
    </div>
  )
}
