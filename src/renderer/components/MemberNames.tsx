import { IsolatedLine } from './Isolated'

interface MemberNamesProps {
  username: string
  fullName: string | null
  /** A third line. */
  note?: string | null
}

/** A member's username above their full name, truncated to the available width. */
export function MemberNames({ username, fullName, note = null }: MemberNamesProps) {
  return (
    <span className="min-w-0 flex-1 text-[14px] leading-tight">
      <span className="block truncate font-semibold">{username}</span>
      <span className="block truncate text-[13px] text-quiet">
        <IsolatedLine>{fullName ?? ''}</IsolatedLine>
      </span>
      {note !== null && <span className="block truncate text-[12.5px] text-quiet">{note}</span>}
    </span>
  )
}
