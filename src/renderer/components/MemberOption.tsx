import type { ReactNode } from 'react'
import { Avatar } from './Avatar'
import { MemberNames } from './MemberNames'

interface OptionProps {
  id: string
  isActive: boolean
  onChoose: () => void
  /** Called when the pointer moves over it. */
  onApproach: () => void
}

/** An entry of a listbox whose field keeps the focus. */
export function Option({
  id,
  isActive,
  onChoose,
  onApproach,
  children,
}: OptionProps & { children: ReactNode }) {
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
      {children}
    </div>
  )
}

interface MemberOptionProps extends OptionProps {
  member: { username: string; full_name: string; avatar_url: string | null; avatar_path: string | null }
}

export function MemberOption({ member, ...option }: MemberOptionProps) {
  return (
    <Option {...option}>
      <Avatar member={member} size={34} />
      <MemberNames username={member.username} fullName={member.full_name} />
    </Option>
  )
}
